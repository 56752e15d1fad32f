// SPDX-License-Identifier: Apache-2.0
// The system library.
#ifndef REFERENCE_SRC_MODULE_SYSTEM_LIB_H_
#define REFERENCE_SRC_MODULE_SYSTEM_LIB_H_

#include <stddef.h>

#include "native/native.h"

// Finds a symbol that the program registered. Returns borrow; NULL for none.
void *system_lib_symbol(const char *name, size_t size);

// ffi.SystemLib
NativeBody system_lib_get;

#endif  // REFERENCE_SRC_MODULE_SYSTEM_LIB_H_
