// SPDX-License-Identifier: Apache-2.0
// What surfaces share that make single calls of the C API: fenced memory for arguments, the verdict
// on a call's return code, and attempts at smaller inputs.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_CALL_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_CALL_H_

#include "fuzz/fuzz.h"

enum { FUZZ_WINDOWS = 4 };

// Bytes of an input, one after the other; behind its end all are 0, so that every input is a whole
// one.
typedef struct FuzzReader {
  const uint8_t *at, *end;
} FuzzReader;

static inline FuzzReader fuzz_reader(const FuzzInput *input)
{
  return (FuzzReader){input->bytes, input->bytes + input->size};
}

static inline uint8_t fuzz_read_byte(FuzzReader *reader)
{
  return reader->at < reader->end ? *reader->at++ : 0;
}

// `size` bytes, 8 at most, the lowest first.
static inline uint64_t fuzz_read_number(FuzzReader *reader, unsigned size)
{
  uint64_t number = 0;
  for (unsigned i = 0; i < size; ++i) number |= (uint64_t)fuzz_read_byte(reader) << 8 * i;
  return number;
}

// At most `size` bytes, fewer where the input ends. `data` is borrowed from the input.
typedef struct FuzzText {
  const char *data;
  size_t size;
} FuzzText;

FuzzText fuzz_read_text(FuzzReader *reader, size_t size);

// Puts bytes behind an input, as far as there is room.
void fuzz_put(FuzzInput *out, const void *bytes, size_t size);
void fuzz_put_byte(FuzzInput *out, unsigned byte);
void fuzz_put_number(FuzzInput *out, uint64_t number, unsigned size);

// `size` bytes of a text: mostly letters, or anything at all.
void fuzz_put_some_text(FuzzRandom *random, FuzzInput *out, size_t size);

// In the worker: makes the windows. False, with a reason, where that can't be done, or where the
// library is of another generation than 0.1.
bool fuzz_call_prepare(Iut *iut, char *why, size_t size);

// The bytes where the library may read them, and nothing behind them; borrowed until the next call
// for the same window. At most FUZZ_INPUT_MAX bytes.
const void *fuzz_show(unsigned window, const void *bytes, size_t size);

// Overwrites what stands in a window, as the owner of an argument may once a call is over.
void fuzz_overwrite(unsigned window, size_t size);

// Judges a call by its return code: what has to be refused and is not, or the other way round, and
// an error (which is taken out of its slot) without kind, without message, or not of `kind` (NULL:
// of any). True if the call succeeded. Clauses that came after the library's version ask nothing.
bool fuzz_judge_code(Iut *iut, FuzzRun *run, const FuzzAspect *aspects, int code, const char *kind);

// Whether a clause holds for the version that the library reports.
bool fuzz_is_due(const Iut *iut, ClauseId clause);

// FuzzSurface.shrink for inputs of which any part may go: blocks of bytes, halves first, from the
// end.
bool fuzz_shrink_blocks(const FuzzInput *input, size_t step, FuzzInput *out);

// The same for inputs of texts that have their length before them, in a byte: texts are cut short,
// too.
bool fuzz_shrink_texts(const FuzzInput *input, size_t step, FuzzInput *out);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_CALL_H_
