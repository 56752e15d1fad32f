// SPDX-License-Identifier: Apache-2.0
#include "type/attribute.h"

const TVMFFIAny *attribute_of(Attribute *attribute, int32_t type_index)
{
  const TVMFFITypeAttrColumn *column =
      atomic_load_explicit(&attribute->column, memory_order_acquire);
  if (column == NULL) {
    column = TVMFFIGetTypeAttrColumn(&attribute->name);
    if (column == NULL) return NULL;
    atomic_store_explicit(&attribute->column, column, memory_order_release);
  }
  // The column may grow meanwhile: its data move first, then its size changes.
  int32_t size = __atomic_load_n(&column->size, __ATOMIC_ACQUIRE);
  const TVMFFIAny *data = __atomic_load_n(&column->data, __ATOMIC_ACQUIRE);
  int32_t place = type_index - column->begin_index;
  if (place < 0 || place >= size) return NULL;
  int32_t value_index = __atomic_load_n(&data[place].type_index, __ATOMIC_ACQUIRE);
  return value_index == kTVMFFINone ? NULL : &data[place];
}
