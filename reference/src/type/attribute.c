// SPDX-License-Identifier: Apache-2.0
#include "type/attribute.h"

const TVMFFIAny *attribute_of(Attribute *attribute, int32_t type_index)
{
  return attribute_read(attribute, type_index);
}
