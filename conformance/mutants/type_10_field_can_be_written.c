// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_10, "the imports of a module can be written")

static TVMFFIFieldInfo changed;

OVERRIDE(GetTypeInfo, int32_t type_index)
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index != kTVMFFIModule) return info;
  changed = *info->fields;
  changed.flags |= kTVMFFIFieldFlagBitMaskWritable;
  info->fields = &changed;
  return info;
}
