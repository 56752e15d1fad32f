// SPDX-License-Identifier: Apache-2.0
// What `replay` and its worker share: memory that the worker writes, and that outlives it whatever
// the library does. The worker plays a recording on a library; the main process reads the recording,
// too, and tells what came of it.
#ifndef TVMFFI_CONFORMANCE_REPLAY_REPLAY_H_
#define TVMFFI_CONFORMANCE_REPLAY_REPLAY_H_

#include <stdatomic.h>
#include <stdint.h>

enum {
  REPLAY_FD = 3,
  REPLAY_TEXT_MAX = 400,
  REPLAY_DIFFERENCES_MAX = 200,
  REPLAY_REASONS_MAX = 100,
  REPLAY_GLOBS_MAX = 16,
  REPLAY_GLOB_MAX = 128,
};

typedef enum ReplayState {
  REPLAY_STARTED = 1,
  REPLAY_CANNOT_LOAD,  // `error` says why
  REPLAY_PLAYING,
  REPLAY_DONE,
} ReplayState;

// In what a call differs.
typedef enum ReplayClass {
  REPLAY_MISSING,   // a function or a type is in one of the two libraries only
  REPLAY_OUTCOME,   // one succeeds, and the other fails
  REPLAY_ERROR,     // the kind of the error
  REPLAY_VALUE,     // what it gives
  REPLAY_TENSOR,    // what it wrote to a tensor
  REPLAY_CALLBACK,  // whether it calls a function of the program, and with what
  REPLAY_CLASSES
} ReplayClass;

// A call that came to something else than what was recorded; equal ones are one.
typedef struct ReplayDifference {
  uint64_t serial, count;  // the first event, and how many
  ReplayClass kind;
  char call[REPLAY_TEXT_MAX], recorded[REPLAY_TEXT_MAX], came[REPLAY_TEXT_MAX];
  char why[REPLAY_TEXT_MAX];  // the known reason, which says nothing against the library; "": none
} ReplayDifference;

// Why calls could not be replayed.
typedef struct ReplayReason {
  uint64_t serial, count;  // the first, and how many
  char call[REPLAY_TEXT_MAX], why[REPLAY_TEXT_MAX];
} ReplayReason;

// Texts may lack a NUL at the end.
typedef struct ReplayShared {
  // By the main process: calls of functions with such names are made, and not compared.
  char excluded[REPLAY_GLOBS_MAX][REPLAY_GLOB_MAX];
  atomic_uint state;  // ReplayState
  uint32_t version;   // ABI_VERSION that the library reports
  char error[REPLAY_TEXT_MAX];
  atomic_ullong at;  // serial number of the event that is played
  char doing[REPLAY_TEXT_MAX];
  // Calls: `explained` differ for a known reason, `differing` by class and without one.
  atomic_ullong same, differing[REPLAY_CLASSES], explained, left_out;
  ReplayDifference differences[REPLAY_DIFFERENCES_MAX];
  ReplayReason reasons[REPLAY_REASONS_MAX];
  atomic_uint difference_count, reason_count;
} ReplayShared;

// The worker's part: plays the events of a process and a runtime of the file (`process`, as events have
// them) on the library. Returns the exit status of the process.
int replay_serve(unsigned process, const char *recording, const char *library);

#endif  // TVMFFI_CONFORMANCE_REPLAY_REPLAY_H_
