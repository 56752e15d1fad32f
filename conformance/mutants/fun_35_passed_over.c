// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_35, "a method that is no function is passed over in silence")
OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *info, int allow_override)

{
  if (info->method.type_index != kTVMFFIFunction) return 0;
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(info, allow_override);
}
