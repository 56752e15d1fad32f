// SPDX-License-Identifier: Apache-2.0
// inspect_file for verbs that load the library: what it finds comes from a confined child.
#ifndef TVMFFI_CONFORMANCE_CLI_INSPECT_CONFINED_H_
#define TVMFFI_CONFORMANCE_CLI_INSPECT_CONFINED_H_

#include "inspect/inspect.h"
#include "sandbox/sandbox.h"

// As inspect_file, which it is with SANDBOX_OFF. A file over which the child dies is not a sound one,
// and the message says so.
InspectReport *inspect_confined(const char *path, SandboxMode mode);

#endif  // TVMFFI_CONFORMANCE_CLI_INSPECT_CONFINED_H_
