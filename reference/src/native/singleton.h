// SPDX-License-Identifier: Apache-2.0
// Objects of which there is one, known by their address.
#ifndef REFERENCE_SRC_NATIVE_SINGLETON_H_
#define REFERENCE_SRC_NATIVE_SINGLETON_H_

#include "native/native.h"

// Returns own: what stands for a value that is missing.
TVMFFIObject *singleton_invalid(void);

// ffi.GetInvalidObject, ffi.GetKwargsObject
NativeBody singleton_get_invalid, singleton_get_kwargs;

#endif  // REFERENCE_SRC_NATIVE_SINGLETON_H_
