// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_37, "a setter that is a function is not retained")
OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status == 0 && info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)
    TVMFFIObjectDecRef(info->setter);
  return status;
}
