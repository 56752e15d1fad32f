// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_39, "a method gains two references")
OVERRIDE(TypeRegisterMethod, int32_t type_index, const TVMFFIMethodInfo *info)
{
  int status = REFERENCE(TypeRegisterMethod)(type_index, info);
  if (status == 0 && info->method.type_index == kTVMFFIFunction)
    TVMFFIObjectIncRef(info->method.v_obj);
  return status;
}
