// SPDX-License-Identifier: Apache-2.0
// Runs a program in the sandbox in the place of this one: what it prints is made fit for a terminal.
#ifndef TVMFFI_CONFORMANCE_CLI_STAND_IN_H_
#define TVMFFI_CONFORMANCE_CLI_STAND_IN_H_

#include <stdbool.h>

#include "sandbox/sandbox.h"

// Waits for its end, and returns 0 with its status, or an errno if it can't be started. `words` is
// NULL-terminated; `kept` is a descriptor that it gets besides, 0: none. What is in force is `told`
// on stderr.
int stand_in_run(Sandbox *sandbox, const char *const *words, int kept, bool told, int *status);

// Ends as the program did. A signal that a debugger or a script looks for is the same one.
_Noreturn void stand_in_end_as(int status);

#endif  // TVMFFI_CONFORMANCE_CLI_STAND_IN_H_
