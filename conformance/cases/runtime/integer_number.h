// SPDX-License-Identifier: Apache-2.0
// Numbers in words of 64 bits, the values that a library makes of them, and big integers made here.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_INTEGER_NUMBER_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_INTEGER_NUMBER_H_

#include "battery/battery.h"
#include "cases/runtime/object_header.h"

enum { NUMBER_WORDS = 6 };

#define WORD_MIN UINT64_C(0x8000000000000000)
#define WORD_MAX UINT64_C(0x7fffffffffffffff)
#define WORD_ONES UINT64_MAX

static inline TVMFFIByteArray bytes_of_words(const uint64_t *words, size_t count)
{
  return (TVMFFIByteArray){(const char *)words, count * sizeof *words};
}

// Own: the integer that the library makes of these words; they are read-only and end where memory
// ends.
#define integer_of(...) integer_of_(EXPECT_HERE_, __VA_ARGS__)
static inline TVMFFIAny integer_of_(const char *at, Iut *iut, const uint64_t *words, size_t count)
{
  const TVMFFIByteArray *input = fenced_bytes(words, count * sizeof *words);
  TVMFFIAny *made = fenced_result();
  require(expect_ok_(at, iut, iut->BigIntFromByteArray(input, made)));
  return *made;
}

// Own: the same, which must be an object.
#define big_integer_of(...) big_integer_of_(EXPECT_HERE_, __VA_ARGS__)
static inline TVMFFIAny big_integer_of_(const char *at, Iut *iut, const uint64_t *words,
                                        size_t count)
{
  TVMFFIAny made = integer_of_(at, iut, words, count);
  require(expect_type_index_(at, &made, kTVMFFIBigInt));
  require(expect_not_null_(at, "the object", made.v_obj));
  return made;
}

// How many words a big integer object says that it has, and where they are.
static inline size_t big_integer_count(const Iut *iut, const TVMFFIAny *value)
{
  size_t count;
  memcpy(&count, object_body(iut, value->v_obj), sizeof count);
  return count;
}

static inline const char *big_integer_words(const Iut *iut, const TVMFFIAny *value)
{
  return (const char *)object_body(iut, value->v_obj) + sizeof(size_t);
}

// The object holds exactly these words.
// bool expect_words(Iut *iut, const TVMFFIAny *big, const uint64_t *words, size_t count)
#define expect_words(...) expect_words_(EXPECT_HERE_, __VA_ARGS__)
static inline bool expect_words_(const char *at, Iut *iut, const TVMFFIAny *big,
                                 const uint64_t *words, size_t count)
{
  size_t size = count * sizeof *words;
  return expect_int_(at, "number of words", (int64_t)big_integer_count(iut, big), (int64_t)count) &&
         expect_memory_(at, "the words", big_integer_words(iut, big), size, words, size);
}

// Words that must be neither shortened nor guarded: a positive number of `count` of them.
static inline uint64_t *new_words(size_t count)
{
  uint64_t *words = calloc(count, sizeof *words);
  if (!words) case_inconclusive("no memory");
  for (size_t i = 0; i < count; ++i) words[i] = UINT64_C(0x0123456789abcdef) * (i + 1) & WORD_MAX;
  words[count - 1] |= 1;
  return words;
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_INTEGER_NUMBER_H_
