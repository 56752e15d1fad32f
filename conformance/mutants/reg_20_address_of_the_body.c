// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_20, "a setter gets the address behind the header")

// The fields that were registered have one setter.
static TVMFFIFieldSetter set;

static int set_in_body(void *field, const TVMFFIAny *value)
{
  return set((char *)field + sizeof(TVMFFIObject), value);
}

OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  TVMFFIFieldInfo other = *info;
  TVMFFIFieldSetter setter = set_in_body;
  if (!(info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
    memcpy(&set, &info->setter, sizeof set);
    memcpy(&other.setter, &setter, sizeof setter);
  }
  return REFERENCE(TypeRegisterField)(type_index, &other);
}
