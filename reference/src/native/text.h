// SPDX-License-Identifier: Apache-2.0
// Functions that turn texts into owned ones.
#ifndef REFERENCE_SRC_NATIVE_TEXT_H_
#define REFERENCE_SRC_NATIVE_TEXT_H_

#include "native/native.h"

// ffi.String, ffi.Bytes
NativeBody text_own;
NativeDirect text_call_string, text_call_bytes;

#endif  // REFERENCE_SRC_NATIVE_TEXT_H_
