// SPDX-License-Identifier: Apache-2.0
// What the functions of the preload library that bear the names of the C API are told.
#ifndef TVMFFI_CONFORMANCE_AUDIT_PRELOAD_H_
#define TVMFFI_CONFORMANCE_AUDIT_PRELOAD_H_

#include <stdint.h>

#include "abi/abi.h"

// The layer's function in the place of the one that code at `caller` would call. Ends the process if that has
// none, as the loader would.
void *preload_function(AbiFunctionId function, uintptr_t caller);

#endif  // TVMFFI_CONFORMANCE_AUDIT_PRELOAD_H_
