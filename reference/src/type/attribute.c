// SPDX-License-Identifier: Apache-2.0
#include "type/attribute.h"

const TVMFFITypeAttrColumn *attribute_column(Attribute *attribute)
{
  const TVMFFITypeAttrColumn *column = TVMFFIGetTypeAttrColumn(&attribute->name);
  if (column != NULL) atomic_store_explicit(&attribute->column, column, memory_order_release);
  return column;
}

const TVMFFIAny *attribute_of(Attribute *attribute, int32_t type_index)
{
  return attribute_read(attribute, type_index);
}
