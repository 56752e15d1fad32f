// SPDX-License-Identifier: Apache-2.0
// Shapes: integers in a row that never change.
#ifndef REFERENCE_SHAPE_H_
#define REFERENCE_SHAPE_H_

#include "native.h"

// ffi.Shape
NativeBody shape_make;
NativeDirect shape_call;

#endif  // REFERENCE_SHAPE_H_
