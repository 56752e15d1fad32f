// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_34, "the doc of a field is that of the caller")

// The field that was registered last.
static TVMFFIFieldInfo *last_field(int32_t type_index)
{
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(type_index);
  return (TVMFFIFieldInfo *)type->fields + type->num_fields - 1;
}

OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status == 0) last_field(type_index)->doc = info->doc;
  return status;
}
