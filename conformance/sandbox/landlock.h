// SPDX-License-Identifier: Apache-2.0
// Landlock: which files this process and all that it starts may use, whether they may use TCP, and
// whether their signals and abstract sockets reach beyond them.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_LANDLOCK_H_
#define TVMFFI_CONFORMANCE_SANDBOX_LANDLOCK_H_

#include <stdbool.h>

#include "sandbox/policy.h"

// From this version on, signals and abstract sockets can be kept in.
enum { LANDLOCK_VERSION_OF_SCOPES = 6 };

// The version of its interface; 0 with errno set if the kernel has none or has it turned off.
int landlock_version(void);

// Restricts this process, which has to have given up new privileges before. 0, or an errno.
int landlock_restrict(const SandboxPolicy *policy, int version);

#endif  // TVMFFI_CONFORMANCE_SANDBOX_LANDLOCK_H_
