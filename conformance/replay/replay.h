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

// A call that came to something else than what was recorded; equal ones are one.
typedef struct ReplayDifference {
  uint64_t serial, count;  // the first event, and how many
  char call[REPLAY_TEXT_MAX], recorded[REPLAY_TEXT_MAX], came[REPLAY_TEXT_MAX];
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
  atomic_ullong same, differing, left_out;  // calls
  ReplayDifference differences[REPLAY_DIFFERENCES_MAX];
  ReplayReason reasons[REPLAY_REASONS_MAX];
  atomic_uint difference_count, reason_count;
} ReplayShared;

// The worker's part: plays the events of a process of the file on the library. Returns the exit
// status of the process.
int replay_serve(unsigned process, const char *recording, const char *library);

#endif  // TVMFFI_CONFORMANCE_REPLAY_REPLAY_H_
