// SPDX-License-Identifier: Apache-2.0
// Values compared by what is in them: containers by their elements, objects by their fields.
#ifndef REFERENCE_SRC_FRONTEND_COMPARE_H_
#define REFERENCE_SRC_FRONTEND_COMPARE_H_

#include "native/native.h"

// ffi.RecursiveEq, ffi.RecursiveLt, ffi.RecursiveLe, ffi.RecursiveGt, ffi.RecursiveGe
NativeBody compare_equal, compare_less, compare_less_equal, compare_greater, compare_greater_equal;

#endif  // REFERENCE_SRC_FRONTEND_COMPARE_H_
