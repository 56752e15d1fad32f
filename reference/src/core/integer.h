// SPDX-License-Identifier: Apache-2.0
// What the type of big integers has as attributes.
#ifndef REFERENCE_SRC_CORE_INTEGER_H_
#define REFERENCE_SRC_CORE_INTEGER_H_

#include <tvm/ffi/c_api.h>

// The columns `__any_equal__` and `__any_hash__` as they are when the program starts, by type
// index.
enum { INTEGER_ATTRIBUTES = kTVMFFIBigInt + 1 };
extern TVMFFIAny integer_equal[INTEGER_ATTRIBUTES], integer_hash[INTEGER_ATTRIBUTES];

// Returns the words of a big integer, two's complement, the lowest first. Borrow: part of the object.
const uint64_t *integer_words(const TVMFFIObject *object, size_t *count);

#endif  // REFERENCE_SRC_CORE_INTEGER_H_
