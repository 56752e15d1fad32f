// SPDX-License-Identifier: Apache-2.0
// The life of objects: who retains and releases them, and who calls their deleters.
#ifndef TVMFFI_CONFORMANCE_LAYER_OBJECTS_H_
#define TVMFFI_CONFORMANCE_LAYER_OBJECTS_H_

#include "layer/shadow.h"

// The deleter of an object is about to be called by `caller`. `entry` tells what it was called with
// before.
void objects_check_deleter(const TVMFFIObject *object, int flags, uintptr_t caller,
                           const ShadowEntry *entry);

// The deleter has destroyed the content, and has to have left the header.
void objects_check_destroyed(const TVMFFIObject *object, const ShadowEntry *entry);

#endif  // TVMFFI_CONFORMANCE_LAYER_OBJECTS_H_
