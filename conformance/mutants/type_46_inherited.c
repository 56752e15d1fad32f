// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_46, "a type without an attribute has that of its parent")
OVERRIDE(GetTypeAttrColumn, const TVMFFIByteArray *attr_name)
{
  TVMFFITypeAttrColumn *column = (TVMFFITypeAttrColumn *)REFERENCE(GetTypeAttrColumn)(attr_name);
  for (int32_t i = 0; column && i < column->size; ++i) {
    const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(i);
    TVMFFIAny *data = (TVMFFIAny *)column->data;
    if (!info || info->type_depth == 0 || data[i].type_index != kTVMFFINone) continue;
    const TVMFFIAny *parent = &data[info->type_ancestors[info->type_depth - 1]->type_index];
    if (parent->type_index != kTVMFFINone) data[i] = *parent;
  }
  return column;
}
