// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_23, "what a setter returns is ignored")

// The fields that were registered have one setter.
static TVMFFIFieldSetter set;

static int set_quietly(void *field, const TVMFFIAny *value)
{
  set(field, value);
  return 0;
}

OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  TVMFFIFieldInfo other = *info;
  TVMFFIFieldSetter setter = set_quietly;
  if (!(info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
    memcpy(&set, &info->setter, sizeof set);
    memcpy(&other.setter, &setter, sizeof setter);
  }
  return REFERENCE(TypeRegisterField)(type_index, &other);
}
