// SPDX-License-Identifier: Apache-2.0
// Shapes: integers in a row that never change.
#ifndef REFERENCE_SRC_NATIVE_SHAPE_H_
#define REFERENCE_SRC_NATIVE_SHAPE_H_

#include "native/native.h"

// ffi.Shape
NativeBody shape_make;
NativeDirect shape_call;

#endif  // REFERENCE_SRC_NATIVE_SHAPE_H_
