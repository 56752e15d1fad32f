// SPDX-License-Identifier: Apache-2.0
// Signature files of what a program called.
#ifndef TVMFFI_CONFORMANCE_CLI_SIGNATURES_RECORDED_H_
#define TVMFFI_CONFORMANCE_CLI_SIGNATURES_RECORDED_H_

#include "inspect/inspect.h"
#include "sandbox/sandbox.h"

// Writes to stdout what the recording shows of the functions of the module. It is read in a child
// (cli/handed_in.h). Returns the exit code,
// after a message if it is not EXIT_CONFORMS.
int signatures_recorded(const char *path, const InspectReport *module, SandboxMode mode);

#endif  // TVMFFI_CONFORMANCE_CLI_SIGNATURES_RECORDED_H_
