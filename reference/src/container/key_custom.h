// SPDX-License-Identifier: Apache-2.0
// Comparison and hash that a type brings along for its objects, in attribute columns.
#ifndef REFERENCE_SRC_CONTAINER_KEY_CUSTOM_H_
#define REFERENCE_SRC_CONTAINER_KEY_CUSTOM_H_

#include <tvm/ffi/c_api.h>

#include "type/attribute.h"

extern Attribute key_custom_hash, key_custom_equal;

// Have a Function, or a native function that compiled code registered, compute or compare. The values
// are views. Return 0 or, of `equal`, 0 or 1; -1 with an error if that failed.
int key_custom_call_hash(const TVMFFIAny *callee, const TVMFFIAny *value, uint64_t *hash);
int key_custom_call_equal(const TVMFFIAny *callee, const TVMFFIAny *one, const TVMFFIAny *other);

#endif  // REFERENCE_SRC_CONTAINER_KEY_CUSTOM_H_
