// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_35, "the default of a field is kept as the view that was given")

// The field that was registered last.
static TVMFFIFieldInfo *last_field(int32_t type_index)
{
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(type_index);
  return (TVMFFIFieldInfo *)type->fields + type->num_fields - 1;
}

OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status == 0 && info->default_value_or_factory.type_index == kTVMFFIRawStr)
    last_field(type_index)->default_value_or_factory = info->default_value_or_factory;
  return status;
}
