// SPDX-License-Identifier: Apache-2.0
// Attributes of types that the runtime itself asks for.
#ifndef REFERENCE_SRC_TYPE_ATTRIBUTE_H_
#define REFERENCE_SRC_TYPE_ATTRIBUTE_H_

#include <stdatomic.h>
#include <stddef.h>
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

// Looks up the column of an attribute and keeps it; NULL if there is none yet.
const TVMFFITypeAttrColumn *attribute_column(Attribute *attribute);

// attribute_of in line, for loops.
static inline const TVMFFIAny *attribute_read(Attribute *attribute, int32_t type_index)
{
  const TVMFFITypeAttrColumn *column =
      atomic_load_explicit(&attribute->column, memory_order_acquire);
  if (column == NULL) {
    column = attribute_column(attribute);
    if (column == NULL) return NULL;
  }
  // The column may grow meanwhile: its data move first, then its size changes.
  int32_t size = __atomic_load_n(&column->size, __ATOMIC_ACQUIRE);
  const TVMFFIAny *data = __atomic_load_n(&column->data, __ATOMIC_ACQUIRE);
  int32_t place = type_index - column->begin_index;
  if (place < 0 || place >= size) return NULL;
  int32_t value_index = __atomic_load_n(&data[place].type_index, __ATOMIC_ACQUIRE);
  return value_index == kTVMFFINone ? NULL : &data[place];
}

#endif  // REFERENCE_SRC_TYPE_ATTRIBUTE_H_
