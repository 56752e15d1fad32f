// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_8, "errors are no objects")
OVERRIDE(GetTypeInfo, int32_t type_index)
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index == kTVMFFIError) info->type_depth = 0;
  return info;
}
