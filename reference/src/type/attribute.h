// SPDX-License-Identifier: Apache-2.0
// Attributes of types that the runtime itself asks for.
#ifndef REFERENCE_SRC_TYPE_ATTRIBUTE_H_
#define REFERENCE_SRC_TYPE_ATTRIBUTE_H_

#include <stdatomic.h>
#include <tvm/ffi/c_api.h>

// An attribute, whose column is looked up when it is first needed.
typedef struct {
  const TVMFFIByteArray name;
  _Atomic(const TVMFFITypeAttrColumn *) column;
} Attribute;

// Initialises an attribute: Attribute hash = {ATTRIBUTE("__any_hash__")};
#define ATTRIBUTE(literal) .name.data = (literal), .name.size = sizeof(literal) - 1

// Returns the value that a type has, NULL if it has none.
// Borrow: the type owns it for the life of the process, the memory is good until the column grows.
const TVMFFIAny *attribute_of(Attribute *attribute, int32_t type_index);

#endif  // REFERENCE_SRC_TYPE_ATTRIBUTE_H_
