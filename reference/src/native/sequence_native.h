// SPDX-License-Identifier: Apache-2.0
// Functions that make and read arrays and lists.
#ifndef REFERENCE_SRC_NATIVE_SEQUENCE_NATIVE_H_
#define REFERENCE_SRC_NATIVE_SEQUENCE_NATIVE_H_

#include "native/native.h"

// ffi.Array, ffi.List
NativeBody sequence_native_make_array, sequence_native_make_list;
NativeDirect sequence_native_call_make_array, sequence_native_call_make_list;
// ffi.ArraySize, ffi.ListSize
NativeBody sequence_native_size;
NativeDirect sequence_native_call_array_size, sequence_native_call_list_size;
// ffi.ArrayGetItem, ffi.ListGetItem
NativeBody sequence_native_get_item;
NativeDirect sequence_native_call_array_get_item, sequence_native_call_list_get_item;
// ffi.ArrayContains, ffi.ListContains
NativeBody sequence_native_contains;

#endif  // REFERENCE_SRC_NATIVE_SEQUENCE_NATIVE_H_
