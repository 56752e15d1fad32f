// SPDX-License-Identifier: Apache-2.0
// What running one case gave, before anybody judges it.
#ifndef TVMFFI_CONFORMANCE_RUN_OUTCOME_H_
#define TVMFFI_CONFORMANCE_RUN_OUTCOME_H_

#include <stdbool.h>
#include <stddef.h>

#include "run/evidence.h"

typedef enum OutcomeKind {
  OUTCOME_NOT_RUN = 0,  // not applicable, or the run was interrupted before its turn
  OUTCOME_SEALED,       // the case came to its end and said so
  OUTCOME_CRASHED,      // killed by a signal of its own making
  OUTCOME_EXITED,       // the process ended without a seal: something called exit()
  OUTCOME_TIMED_OUT,    // killed because its time was up
  OUTCOME_LOST,  // no process to run it in, killed for what it took of the machine, or evidence
                 // that contradicts itself; `lost` says which
} OutcomeKind;

enum { OUTCOME_WHERE_FRAMES = 3 };

// Owned parts are freed by outcome_clear.
typedef struct Outcome {
  OutcomeKind kind;
  Evidence *
      evidence;  // own; a private copy, NULL if nothing was learnt beyond `held` (a clean pass); of
                 // a sealed case in which nothing failed it ends before `failures`
  uint32_t held;  // expectations that held
  uint32_t failed;
  EvidenceEnd end;
  int signal;            // OUTCOME_CRASHED: which
  int exit_code;         // OUTCOME_EXITED: with what
  uint64_t duration_ns;  // from the request to the end, as the main process saw it
  char *where;           // own; OUTCOME_CRASHED: "TVMFFIAnyViewToOwnedAny+0x1c", NULL if unknown
  char
      *output;  // own; what the case wrote to stdout and stderr, at most a few KiB; NULL if nothing
  uint64_t output_bytes;  // how much it wrote in all
  EvidenceTried *tried;   // own; what was tried, of a case about a function; NULL if nothing was
  size_t tried_count;
  uint32_t tried_more;   // combinations that were tried and are not in `tried`
  const char *lost;      // borrowed constant; OUTCOME_LOST: why; OUTCOME_NOT_RUN: why, or NULL
  bool races;            // its threads race: in another run it may end otherwise
  uint64_t limit_ns;     // that it ran under
  bool limit_shortened;  // because of cases that hung before
  uint32_t calls;        // OUTCOME_TIMED_OUT: that came back, if some still did; 0: it hung
} Outcome;

void outcome_clear(Outcome *outcome);

#endif  // TVMFFI_CONFORMANCE_RUN_OUTCOME_H_
