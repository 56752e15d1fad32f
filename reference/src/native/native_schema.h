// SPDX-License-Identifier: Apache-2.0
// What metadata say of a function of the runtime: what it takes and gives.
#ifndef REFERENCE_SRC_NATIVE_NATIVE_SCHEMA_H_
#define REFERENCE_SRC_NATIVE_NATIVE_SCHEMA_H_

#include "native/native.h"

// Writes the metadata of a function, which fits into NATIVE_SCHEMA_ROOM. Returns its size.
#define NATIVE_SCHEMA_ROOM 512
size_t native_schema_write(const NativeSpec *spec, char *text, size_t room);

#endif  // REFERENCE_SRC_NATIVE_NATIVE_SCHEMA_H_
