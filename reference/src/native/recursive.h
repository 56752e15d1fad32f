// SPDX-License-Identifier: Apache-2.0
// Containers compared by what is in them.
#ifndef REFERENCE_SRC_NATIVE_RECURSIVE_H_
#define REFERENCE_SRC_NATIVE_RECURSIVE_H_

#include "native/native.h"

// ffi.RecursiveEq: arrays, lists, maps and dicts are equal to those of the same type with equal
// elements, shapes to shapes with the same numbers, not-a-number to itself, and other values to
// what they are equal to as keys. Keys of maps are found as keys, by identity if they are
// containers.
NativeBody recursive_equal;

// ffi.RecursiveHash: a number that agrees with it, made of the elements of a container, and of the
// sizes of the containers among these.
NativeBody recursive_hash;

#endif  // REFERENCE_SRC_NATIVE_RECURSIVE_H_
