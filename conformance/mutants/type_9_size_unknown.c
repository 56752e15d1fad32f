// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_9, "the size of an object without body is not told")

static TVMFFITypeMetadata changed;

OVERRIDE(GetTypeInfo, int32_t type_index)
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index != kTVMFFIObject) return info;
  changed = *info->metadata;
  changed.total_size = 0;
  info->metadata = &changed;
  return info;
}
