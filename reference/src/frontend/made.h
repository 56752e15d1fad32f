// SPDX-License-Identifier: Apache-2.0
// Objects of classes that are described by their fields alone, as those that frontends define.
#ifndef REFERENCE_SRC_FRONTEND_MADE_H_
#define REFERENCE_SRC_FRONTEND_MADE_H_

#include "native/native.h"

// Makes an object of a type with all fields zero.
// size: of all of it, no less than a header and all fields. Returns own; NULL with an error.
TVMFFIObject *made_new(int32_t type_index, size_t size);

// Gives a type the attributes `__ffi_new__` and `__ffi_shallow_copy__`.
// function: whose work this is, for errors. creator: makes an object with all that belongs to it;
// NULL for objects with all fields zero. Returns 0; -1 with an error.
int made_give_attributes(const char *function, int32_t type_index, int64_t size,
                         TVMFFIObjectCreator creator);

// ffi._PyClassRegisterTypeAttrColumns
NativeBody made_register;

#endif  // REFERENCE_SRC_FRONTEND_MADE_H_
