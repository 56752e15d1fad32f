// SPDX-License-Identifier: Apache-2.0
// The hooks of the layer. Their types are generated: that of TVMFFIObjectIncRef is
// LayerHook_ObjectIncRef, which takes a LayerSite before its arguments.
#ifndef TVMFFI_CONFORMANCE_LAYER_HOOKS_H_
#define TVMFFI_CONFORMANCE_LAYER_HOOKS_H_

#include "layer_hooks.h"

#define HOOK(file, name) LayerHook_##name ffi_call_##file##_##name;
#include "layer/hooks.def"

#endif  // TVMFFI_CONFORMANCE_LAYER_HOOKS_H_
