// SPDX-License-Identifier: Apache-2.0
// Functions that turn texts into owned ones.
#ifndef REFERENCE_TEXT_H_
#define REFERENCE_TEXT_H_

#include "native.h"

// ffi.String, ffi.Bytes
NativeBody text_own;

#endif  // REFERENCE_TEXT_H_
