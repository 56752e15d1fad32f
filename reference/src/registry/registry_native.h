// SPDX-License-Identifier: Apache-2.0
// Functions about functions.
#ifndef REFERENCE_SRC_REGISTRY_REGISTRY_NATIVE_H_
#define REFERENCE_SRC_REGISTRY_REGISTRY_NATIVE_H_

#include "native/native.h"

// ffi.FunctionRemoveGlobal, ffi.FunctionListGlobalNamesFunctor, ffi.GetGlobalFuncMetadata,
// ffi.FunctionFromExternC
NativeBody registry_native_remove, registry_native_list_names, registry_native_get_metadata,
    registry_native_wrap;

#endif  // REFERENCE_SRC_REGISTRY_REGISTRY_NATIVE_H_
