// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_33, "a method description without the static flag registers nothing")
OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *info, int allow_override)

{
  if (!(info->flags & kTVMFFIFieldFlagBitMaskIsStaticMethod) &&
      info->method.type_index == kTVMFFIFunction)
    return 0;
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(info, allow_override);
}
