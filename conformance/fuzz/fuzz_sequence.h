// SPDX-License-Identifier: Apache-2.0
// Sequences of calls of the C API, from several threads that take turns, and a model of who owns
// what: each node of it stands for an object and knows how many references there are, which one
// dies when, and what each thread keeps: the error in its slot, and its streams. After each step
// the counts, types and errors are checked against it.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_SEQUENCE_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_SEQUENCE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

// X(name): the functions that are called.
#define FUZZ_SEQUENCE_FUNCTIONS(X)       \
  X(ObjectIncRef)                        \
  X(ObjectDecRef)                        \
  X(ObjectCreateOpaque)                  \
  X(FunctionCreate)                      \
  X(FunctionCall)                        \
  X(FunctionSetGlobal)                   \
  X(FunctionGetGlobal)                   \
  X(AnyViewToOwnedAny)                   \
  X(ErrorSetRaised)                      \
  X(ErrorSetRaisedFromCStr)              \
  X(ErrorMoveFromRaised)                 \
  X(ErrorCreateWithCauseAndExtraContext) \
  X(EnvSetStream)                        \
  X(EnvGetStream)

typedef struct FuzzSequenceApi {
#define X(name) __typeof__(&TVMFFI##name) name;
  FUZZ_SEQUENCE_FUNCTIONS(X)
#undef X
  // Whether it is also asked for what the spec leaves open, and the reference refuses.
  bool is_reference;
} FuzzSequenceApi;

// Numbers of a step; 0 where there are no more.
typedef struct FuzzSequenceBytes {
  const uint8_t *at, *end;
} FuzzSequenceBytes;

enum { FUZZ_SEQUENCE_STREAM = 224, FUZZ_SEQUENCE_CHANGE = 255, FUZZ_SEQUENCE_ACTIONS = 14 };

// A sequence is fuzz_sequence_begin, any number of steps, and fuzz_sequence_end, which gives
// everything back. `functions` is borrowed; its lifetime is static.
void fuzz_sequence_begin(const FuzzSequenceApi *functions);
// One step. Its first byte says which: FUZZ_SEQUENCE_CHANGE another thread, from
// FUZZ_SEQUENCE_STREAM on a stream, else an action, modulo FUZZ_SEQUENCE_ACTIONS.
void fuzz_sequence_step(FuzzSequenceBytes *bytes);
void fuzz_sequence_end(void);

// What did not hold, in a sentence that begins with its clause; NULL as long as all did. Then
// nothing more is done, and the process is unusable for another sequence.
const char *fuzz_sequence_broken(void);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_SEQUENCE_H_
