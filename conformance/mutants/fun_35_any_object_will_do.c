// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_35, "a method may be an object of any type")
OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *info, int allow_override)

{
  TVMFFIMethodInfo copy = *info;
  if (info->method.type_index < kTVMFFIStaticObjectBegin)
    return REFERENCE(FunctionSetGlobalFromMethodInfo)(info, allow_override);
  copy.method.type_index = kTVMFFIFunction;
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(&copy, allow_override);
}
