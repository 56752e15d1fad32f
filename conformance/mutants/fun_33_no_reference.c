// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_33, "a method description does not retain its function")
OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *info, int allow_override)

{
  int status = REFERENCE(FunctionSetGlobalFromMethodInfo)(info, allow_override);
  if (status == 0 && info->method.type_index == kTVMFFIFunction)
    TVMFFIObjectDecRef(info->method.v_obj);
  return status;
}
