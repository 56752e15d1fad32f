// SPDX-License-Identifier: Apache-2.0
// What the linker loads besides a library or a program: the names in its dynamic section, looked for
// where the section says, and the linker that a program names. The system's directories are open to
// every program, and are not looked into.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_NEEDS_H_
#define TVMFFI_CONFORMANCE_SANDBOX_NEEDS_H_

#include "sandbox/policy.h"

// Adds what the untrusted file at `path` needs, and what that needs. Only files with a dynamic section
// are added, with the shared libraries beside them: who names a file does not get to read it.
void needs_add(SandboxPolicy *policy, const char *path);

// The same of several files, which are read in a confined child. What that says is not believed: a
// path is added if it is a file that is called as shared libraries are.
void needs_add_confined(SandboxPolicy *policy, const char *const *files, size_t count);

#endif  // TVMFFI_CONFORMANCE_SANDBOX_NEEDS_H_
