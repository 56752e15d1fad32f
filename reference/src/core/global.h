// SPDX-License-Identifier: Apache-2.0
// Global functions for the rooms below the registry, which has them.
#ifndef REFERENCE_SRC_CORE_GLOBAL_H_
#define REFERENCE_SRC_CORE_GLOBAL_H_

#include <tvm/ffi/c_api.h>

typedef int GlobalFind(const TVMFFIByteArray *name, TVMFFIObjectHandle *out);

// Says who looks up global functions. For the registry, before it has any.
void global_set_find(GlobalFind *find);

// Looks up a global function like TVMFFIFunctionGetGlobal. A registry that was never asked for
// anything has none.
// out: own; NULL if the name has no function. Returns 0; -1 with an error.
int global_find(const TVMFFIByteArray *name, TVMFFIObjectHandle *out);

#endif  // REFERENCE_SRC_CORE_GLOBAL_H_
