// SPDX-License-Identifier: Apache-2.0
// Functions about functions.
#ifndef REFERENCE_REGISTRY_NATIVE_H_
#define REFERENCE_REGISTRY_NATIVE_H_

#include "native.h"

// ffi.FunctionRemoveGlobal, ffi.FunctionListGlobalNamesFunctor, ffi.GetGlobalFuncMetadata,
// ffi.FunctionFromExternC
NativeBody registry_native_remove, registry_native_list_names, registry_native_get_metadata,
    registry_native_wrap;

#endif  // REFERENCE_REGISTRY_NATIVE_H_
