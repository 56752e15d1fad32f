// SPDX-License-Identifier: Apache-2.0
// The life of objects: who retains and releases them, and who calls their deleters.
#ifndef TVMFFI_CONFORMANCE_LAYER_OBJECTS_H_
#define TVMFFI_CONFORMANCE_LAYER_OBJECTS_H_

#include "layer/layer.h"

// The deleter of an object is about to be called by `caller`.
void objects_check_deleter(const TVMFFIObject *object, int flags, uintptr_t caller,
                           uintptr_t deleter);

#endif  // TVMFFI_CONFORMANCE_LAYER_OBJECTS_H_
