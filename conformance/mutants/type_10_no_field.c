// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_10, "modules have no field")
OVERRIDE(GetTypeInfo, int32_t type_index)
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index == kTVMFFIModule) info->num_fields = 0;
  return info;
}
