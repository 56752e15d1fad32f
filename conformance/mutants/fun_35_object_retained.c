// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_35, "an object that is refused as a method keeps the reference that was taken for it")
OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *info, int allow_override)

{
  int status = REFERENCE(FunctionSetGlobalFromMethodInfo)(info, allow_override);
  if (status != 0 && info->method.type_index >= kTVMFFIStaticObjectBegin &&
      info->method.type_index != kTVMFFIFunction)
    TVMFFIObjectIncRef(info->method.v_obj);
  return status;
}
