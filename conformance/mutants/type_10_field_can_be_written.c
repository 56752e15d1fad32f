// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_10, "the imports of a module can be written")
OVERRIDE(GetTypeInfo, int32_t type_index)
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index == kTVMFFIModule)
    ((TVMFFIFieldInfo *)info->fields)->flags |= kTVMFFIFieldFlagBitMaskWritable;
  return info;
}
