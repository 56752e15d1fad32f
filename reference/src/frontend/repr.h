// SPDX-License-Identifier: Apache-2.0
// Values as text for people.
#ifndef REFERENCE_SRC_FRONTEND_REPR_H_
#define REFERENCE_SRC_FRONTEND_REPR_H_

#include "native/native.h"

// ffi.ReprPrint
NativeBody repr_print;

#endif  // REFERENCE_SRC_FRONTEND_REPR_H_
