// SPDX-License-Identifier: Apache-2.0
// A number that agrees with the equality of values by their structure.
#ifndef REFERENCE_SRC_FRONTEND_STRUCTURAL_HASH_H_
#define REFERENCE_SRC_FRONTEND_STRUCTURAL_HASH_H_

#include "native/native.h"

// Computes the hash of a value, with no free variables mapped.
// hash: written on success. Returns 0; -1 with an error.
int structural_hash_of(const char *function, const TVMFFIAny *value, uint64_t *hash);

// ffi.StructuralHash
NativeBody structural_hash;

#endif  // REFERENCE_SRC_FRONTEND_STRUCTURAL_HASH_H_
