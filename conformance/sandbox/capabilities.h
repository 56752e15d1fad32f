// SPDX-License-Identifier: Apache-2.0
// The privileges of root, which are given up.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_CAPABILITIES_H_
#define TVMFFI_CONFORMANCE_SANDBOX_CAPABILITIES_H_

#include <stdbool.h>

// Gives up all of them, and that anything that is executed gets new ones. `reads` leaves root the
// one to read what others own, where something else says which files. 0, or an errno.
int capabilities_drop(bool reads);

#endif  // TVMFFI_CONFORMANCE_SANDBOX_CAPABILITIES_H_
