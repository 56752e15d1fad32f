// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_40, "a type without metadata has empty ones")
OVERRIDE(GetTypeInfo, int32_t type_index)
{
  static const TVMFFITypeMetadata empty;
  static TVMFFITypeInfo filled[8];
  static int count;
  const TVMFFITypeInfo *info = REFERENCE(GetTypeInfo)(type_index);
  if (!info || info->metadata || count == 8) return info;
  filled[count] = *info;
  filled[count].metadata = &empty;
  return &filled[count++];
}
