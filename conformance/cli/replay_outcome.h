// SPDX-License-Identifier: Apache-2.0
// What came of replaying a recording: the outcome of each process that it is of, for people and as JSON.
#ifndef TVMFFI_CONFORMANCE_CLI_REPLAY_OUTCOME_H_
#define TVMFFI_CONFORMANCE_CLI_REPLAY_OUTCOME_H_

#include <stdbool.h>
#include <stdio.h>

#include "replay/replay.h"

// How the worker ended before the recording did.
typedef enum ReplayEnd { REPLAY_CRASHED, REPLAY_EXITED, REPLAY_HUNG } ReplayEnd;

typedef struct ReplayEnded {
  ReplayEnd how;
  int number;       // of the signal, or the exit code
  uint64_t serial;  // of the event that was played
  unsigned process;
  char *event;  // own: in words
} ReplayEnded;

// A difference, and the process and the runtime that it is of.
typedef struct ReplayFound {
  ReplayDifference difference;
  unsigned process, runtime;
} ReplayFound;

typedef struct ReplayOutcome {
  const char *recording, *library;     // paths, borrowed
  char version[32];                    // that the library reports; "": none
  uint64_t same, explained, left_out;  // calls
  uint64_t differing[REPLAY_CLASSES];
  ReplayFound *found;  // own; equal ones of a process are one
  size_t found_count;
  ReplayReason reasons[REPLAY_REASONS_MAX];
  size_t reason_count;
  ReplayEnded *ended;  // own
  size_t ended_count;
  unsigned forked;  // processes that others were forked into, which are not played
  bool failed;      // memory is out; what was noted is incomplete
} ReplayOutcome;

// Adds what the worker noted of a process.
void replay_outcome_add(ReplayOutcome *outcome, const ReplayShared *shared, unsigned process,
                        unsigned runtime);

// The worker ended in the event; `event` (taken over, may be NULL) is in words.
void replay_outcome_end(ReplayOutcome *outcome, const ReplayEnded *ended);

// Calls that differ without a known reason.
uint64_t replay_outcome_differing(const ReplayOutcome *outcome);

// "SAME", "DIFFERENT" or "INCONCLUSIVE".
const char *replay_outcome_standing(const ReplayOutcome *outcome);

// The report for people: `limit` differences at most (0: all), those with a known reason last.
void replay_outcome_print(FILE *out, const ReplayOutcome *outcome, size_t limit);

// JSON, as reports/replay.schema.json describes it; "-" is stdout. 0, or -1 with `error`.
int replay_outcome_save(const ReplayOutcome *outcome, const char *path, char *error,
                        size_t error_size);

void replay_outcome_free(ReplayOutcome *outcome);

#endif  // TVMFFI_CONFORMANCE_CLI_REPLAY_OUTCOME_H_
