// SPDX-License-Identifier: Apache-2.0
// Objects of which there is one, known by their address.
#ifndef REFERENCE_SRC_NATIVE_SINGLETON_H_
#define REFERENCE_SRC_NATIVE_SINGLETON_H_

#include "native/native.h"

// Returns own: what stands for a value that is missing.
TVMFFIObject *singleton_invalid(void);

// Tell whether an object is what stands for a value that is missing, or what separates keyword
// arguments from others.
bool singleton_is_invalid(const TVMFFIObject *object);
bool singleton_is_kwargs(const TVMFFIObject *object);

// ffi.GetInvalidObject, ffi.GetKwargsObject
NativeBody singleton_get_invalid, singleton_get_kwargs;

#endif  // REFERENCE_SRC_NATIVE_SINGLETON_H_
