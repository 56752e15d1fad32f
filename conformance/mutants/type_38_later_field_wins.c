// SPDX-License-Identifier: Apache-2.0
#include "mutants/type_table.h"

MUTANT(TYPE_38, "a second field of the same name takes the place of the first")

OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  TVMFFIFieldInfo *field = field_of(type_index, &info->name);
  if (!field) return REFERENCE(TypeRegisterField)(type_index, info);
  field->offset = info->offset;
  field->size = info->size;
  return 0;
}
