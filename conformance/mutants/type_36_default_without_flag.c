// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_36, "what stands in the place of the default is kept without the flag")

// The field that was registered last.
static TVMFFIFieldInfo *last_field(int32_t type_index)
{
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(type_index);
  return (TVMFFIFieldInfo *)type->fields + type->num_fields - 1;
}

OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  TVMFFIFieldInfo field = *info;
  field.flags |= kTVMFFIFieldFlagBitMaskHasDefault;
  int status = REFERENCE(TypeRegisterField)(type_index, &field);
  if (status == 0) last_field(type_index)->flags = info->flags;
  return status;
}
