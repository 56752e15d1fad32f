// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_35, "a method that is no function raises a ValueError")
OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *info, int allow_override)

{
  int status = REFERENCE(FunctionSetGlobalFromMethodInfo)(info, allow_override);
  if (status != 0 && info->method.type_index != kTVMFFIFunction)
    TVMFFIErrorSetRaisedFromCStr("ValueError", "the method is no function");
  return status;
}
