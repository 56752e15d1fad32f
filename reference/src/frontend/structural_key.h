// SPDX-License-Identifier: Apache-2.0
// Values as keys that count by their structure, with their hash.
#ifndef REFERENCE_SRC_FRONTEND_STRUCTURAL_KEY_H_
#define REFERENCE_SRC_FRONTEND_STRUCTURAL_KEY_H_

#include "native/native.h"

// ffi.StructuralKey, ffi.StructuralKeyEqual
NativeBody structural_key_make, structural_key_equal;

#endif  // REFERENCE_SRC_FRONTEND_STRUCTURAL_KEY_H_
