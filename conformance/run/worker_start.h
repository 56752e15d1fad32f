// SPDX-License-Identifier: Apache-2.0
// How the workers of a run are started: under Valgrind, an emulator or with the runtime of a sanitizer, in
// which environment, and confined by what.
#ifndef TVMFFI_CONFORMANCE_RUN_WORKER_START_H_
#define TVMFFI_CONFORMANCE_RUN_WORKER_START_H_

#include "run/runner.h"
#include "run/slot.h"

enum { WORKER_ENVIRONMENT_MAX = 8, WORKER_SANITIZERS = 3, WORKER_SANITIZER_ENTRY_MAX = 1024 };

// The command, and what it points to: it is not moved while it is used.
typedef struct WorkerStart {
  SlotCommand command;
  const char *environment[WORKER_ENVIRONMENT_MAX + 1];
  const char *wrapper[SLOT_WRAPPER_MAX];
  char emulator[SLOT_WRAPPER_TEXT];  // its words are in `wrapper`
  char preload[512];
  char sanitizer_options[WORKER_SANITIZERS][WORKER_SANITIZER_ENTRY_MAX];
  char library_path[4200];  // with a slash, so that the linker takes it as a path
} WorkerStart;

// Fills in `worker`, which is all 0, by what is to be run. What workers have to reach is added to the policy of
// the configuration's sandbox.
void worker_start_prepare(WorkerStart *worker, const RunConfig *config);

#endif  // TVMFFI_CONFORMANCE_RUN_WORKER_START_H_
