// SPDX-License-Identifier: Apache-2.0
// How far a run has come through its plan: what is next, and what came of what was run.
#ifndef TVMFFI_CONFORMANCE_RUN_PROGRESS_H_
#define TVMFFI_CONFORMANCE_RUN_PROGRESS_H_

#include <stdbool.h>
#include <stddef.h>

#include "plan/plan.h"
#include "run/observation.h"
#include "run/outcome.h"
#include "run/runner.h"
#include "run/served.h"

// Items that run in one process, one after the other.
typedef struct Together {
  size_t first, count;
} Together;

typedef struct Progress {
  const Plan *plan;
  Served served;    // whose right call was served
  size_t next;      // first item that has not been started
  Together *again;  // own; what is to run again, because not all went well in a process with others
  size_t again_count;
  unsigned slow_groups;  // processes with several items that had to be ended
  size_t running;
  RunSink *sink;
  void *context;
  bool stopped;
} Progress;

// Hands the outcome of an item over to who asked for the run.
void progress_give(Progress *progress, size_t item, Outcome outcome);

// Whether there is anything that was not started yet.
bool progress_has_more(const Progress *progress);

// The next items for which a process is needed; none if there are none. `apart`: each has one of its own.
Together progress_next(Progress *progress, bool apart);

// What came of rows of a case in one process: those that have passed have, and the first may not apply. If not all have,
// the next one runs again, alone, and those behind it together. True if `whole` was handed over.
bool progress_give_rows(Progress *progress, Together items, const Outcome *whole,
                        const ObservedRows *rows);

// Nothing is started any more: what is left has no verdict, and says so.
void progress_give_up(Progress *progress, Outcome outcome);

void progress_free(Progress *progress);

#endif  // TVMFFI_CONFORMANCE_RUN_PROGRESS_H_
