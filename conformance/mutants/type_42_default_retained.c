// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_42, "the default of a field that is refused keeps its reference")
OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status != 0 && !TVMFFIGetTypeInfo(type_index) &&
      info->default_value_or_factory.type_index >= kTVMFFIStaticObjectBegin)
    TVMFFIObjectIncRef(info->default_value_or_factory.v_obj);
  return status;
}
