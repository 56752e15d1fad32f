// SPDX-License-Identifier: Apache-2.0
// The functions that are registered from the start.
#ifndef REFERENCE_SRC_REGISTRY_NATIVE_TABLE_H_
#define REFERENCE_SRC_REGISTRY_NATIVE_TABLE_H_

#include "native/native.h"

// How many there are, and more than that.
extern const size_t native_table_count;
#define NATIVE_TABLE_MAX 128

// Returns the spec of a function. Borrow: for the life of the process.
const NativeSpec *native_table_spec(size_t place);

// Returns the function object of a spec, which lasts as long as the process. Own: one reference.
// One thread at a time.
TVMFFIObject *native_table_function(size_t place);

#endif  // REFERENCE_SRC_REGISTRY_NATIVE_TABLE_H_
