// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_11, "the value of a visit interrupt is an object")

static TVMFFIFieldInfo changed;

OVERRIDE(GetTypeInfo, int32_t type_index)
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index != kTVMFFIVisitInterrupt) return info;
  changed = *info->fields;
  changed.field_static_type_index = kTVMFFIObject;
  info->fields = &changed;
  return info;
}
