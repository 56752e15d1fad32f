// SPDX-License-Identifier: Apache-2.0
// The constructor that a type gets of the fields it tells of.
#ifndef REFERENCE_SRC_FRONTEND_INIT_H_
#define REFERENCE_SRC_FRONTEND_INIT_H_

#include "native/native.h"

// Gives a type the attribute `__ffi_init__`.
// function: whose work this is, for errors. Returns 0; -1 with an error.
int init_give_attribute(const char *function, int32_t type_index);

// ffi._RegisterFFIInit
NativeBody init_register;

#endif  // REFERENCE_SRC_FRONTEND_INIT_H_
