// SPDX-License-Identifier: Apache-2.0
// Turns what a slot saw at the end of a case into an Outcome.
#ifndef TVMFFI_CONFORMANCE_RUN_OBSERVATION_H_
#define TVMFFI_CONFORMANCE_RUN_OBSERVATION_H_

#include "inspect/inspect.h"
#include "run/outcome.h"
#include "run/slot.h"

// `status` is the wait status of the child (-1: there was none). Evidence and output are copied;
// program counters are named by the symbols of `library`.
Outcome observe_end(const Slot *slot, int status, const InspectReport *library);

// The rows of a case that ran one after the other in one process.
typedef struct ObservedRows {
  size_t passed;                     // all, or those before one that does not apply; else none
  uint32_t held[EVIDENCE_ROWS_MAX];  // expectations that held in each of these
  bool first_lacks;                  // the first does not apply, which is what the outcome says
} ObservedRows;

// The same of a process that ran `count` rows of a case, with what came of these.
Outcome observe_end_of_rows(const Slot *slot, int status, const InspectReport *library,
                            size_t count, ObservedRows *rows);

// The outcome of a row of those that has passed.
Outcome observe_row(const Outcome *whole, size_t rows, uint32_t held);

// The outcome of a case that would end as not applicable with `lack` as its reason, as case_lack tells.
Outcome observe_lack(const char *lack, bool unconcerned);

// The outcome of a case for which no worker could be had; `lost` is a constant that says why.
Outcome observe_lost(const char *lost);

#endif  // TVMFFI_CONFORMANCE_RUN_OBSERVATION_H_
