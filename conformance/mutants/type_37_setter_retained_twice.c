// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_37, "a setter that is a function gains two references")
OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status == 0 && info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)
    TVMFFIObjectIncRef(info->setter);
  return status;
}
