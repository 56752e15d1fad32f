// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_38, "a second field of the same name takes the place of the first")

// The field of this name; NULL if there is none.
static TVMFFIFieldInfo *field_of(int32_t type_index, const TVMFFIByteArray *name)
{
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(type_index);
  for (int32_t i = 0; type && i < type->num_fields; ++i) {
    TVMFFIFieldInfo *field = (TVMFFIFieldInfo *)type->fields + i;
    if (field->name.size == name->size && name->size > 0 &&
        memcmp(field->name.data, name->data, name->size) == 0)
      return field;
  }
  return NULL;
}

OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  TVMFFIFieldInfo *field = field_of(type_index, &info->name);
  if (!field) return REFERENCE(TypeRegisterField)(type_index, info);
  field->offset = info->offset;
  field->size = info->size;
  return 0;
}
