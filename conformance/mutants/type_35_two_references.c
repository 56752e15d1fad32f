// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_35, "an object as default gains two references")
OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  const TVMFFIAny *value = &info->default_value_or_factory;
  if (status == 0 && info->flags & kTVMFFIFieldFlagBitMaskHasDefault &&
      value->type_index >= kTVMFFIStaticObjectBegin)
    TVMFFIObjectIncRef(value->v_obj);
  return status;
}
