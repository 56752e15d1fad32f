// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_33, "a new field comes before the others")
OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status != 0) return status;
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(type_index);
  TVMFFIFieldInfo *fields = (TVMFFIFieldInfo *)type->fields, last = fields[type->num_fields - 1];
  memmove(fields + 1, fields, (size_t)(type->num_fields - 1) * sizeof last);
  fields[0] = last;
  return 0;
}
