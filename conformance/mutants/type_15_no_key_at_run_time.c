// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_15, "the information of types registered at run time has no key")
OVERRIDE(GetTypeInfo, int32_t type_index)
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index >= kTVMFFIDynObjectBegin) info->type_key.size = 0;
  return info;
}
