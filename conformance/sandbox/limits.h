// SPDX-License-Identifier: Apache-2.0
// What one process may take of the machine: the limits of policy.h.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_LIMITS_H_
#define TVMFFI_CONFORMANCE_SANDBOX_LIMITS_H_

// Lowers this process's own, which all that it starts have then. 0, or an errno.
int limits_set(void);

#endif  // TVMFFI_CONFORMANCE_SANDBOX_LIMITS_H_
