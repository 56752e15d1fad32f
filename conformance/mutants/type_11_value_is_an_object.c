// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_11, "the value of a visit interrupt is an object")
OVERRIDE(GetTypeInfo, int32_t type_index)
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index == kTVMFFIVisitInterrupt)
    ((TVMFFIFieldInfo *)info->fields)->field_static_type_index = kTVMFFIObject;
  return info;
}
