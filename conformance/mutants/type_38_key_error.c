// SPDX-License-Identifier: Apache-2.0
#include "mutants/type_table.h"

MUTANT(TYPE_38, "a second field of the same name raises a KeyError")

OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  if (!field_of(type_index, &info->name)) return REFERENCE(TypeRegisterField)(type_index, info);
  TVMFFIErrorSetRaisedFromCStr("KeyError", "the field exists");
  return -1;
}
