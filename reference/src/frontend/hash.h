// SPDX-License-Identifier: Apache-2.0
// A number that agrees with the equality of values with all that is in them.
#ifndef REFERENCE_SRC_FRONTEND_HASH_H_
#define REFERENCE_SRC_FRONTEND_HASH_H_

#include "native/native.h"

// ffi.RecursiveHash
NativeBody hash_recursive;

#endif  // REFERENCE_SRC_FRONTEND_HASH_H_
