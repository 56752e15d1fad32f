// SPDX-License-Identifier: Apache-2.0
// Survives the process that starts workers, where a library could kill or stop that one: says so
// then, in its place, and ends what is left.
#ifndef TVMFFI_CONFORMANCE_CLI_SUPERVISOR_H_
#define TVMFFI_CONFORMANCE_CLI_SUPERVISOR_H_

#include <stddef.h>

typedef enum SupervisorAnswer {
  SUPERVISOR_GO_ON,  // this is the process that is to do the work
  SUPERVISOR_END,    // that process has ended by itself, with `code`
  SUPERVISOR_LOST,   // it was killed or stopped; `why` says so
} SupervisorAnswer;

// Has a child do the work from here on, and waits for it.
SupervisorAnswer supervisor_start(int *code, char *why, size_t size);

#endif  // TVMFFI_CONFORMANCE_CLI_SUPERVISOR_H_
