// SPDX-License-Identifier: Apache-2.0
// Values compared by their structure: content counts, and which variable stands for which.
#ifndef REFERENCE_SRC_FRONTEND_STRUCTURAL_EQUAL_H_
#define REFERENCE_SRC_FRONTEND_STRUCTURAL_EQUAL_H_

#include "native/native.h"

// Compares two values, with no free variables mapped. Returns 1 or 0; -1 with an error.
int structural_are_equal(const char *function, const TVMFFIAny *one, const TVMFFIAny *other);

// ffi.StructuralEqual, ffi.GetFirstStructuralMismatch
NativeBody structural_equal, structural_mismatch;

#endif  // REFERENCE_SRC_FRONTEND_STRUCTURAL_EQUAL_H_
