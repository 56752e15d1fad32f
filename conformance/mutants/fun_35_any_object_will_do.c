// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_35, "a method may be an object of any type")
OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *info, int allow_override)

{
  TVMFFIMethodInfo copy = *info;
  if (info->method.type_index < kTVMFFIStaticObjectBegin)
    return REFERENCE(FunctionSetGlobalFromMethodInfo)(info, allow_override);
  // The reference looks at the object, too.
  TVMFFIObject *object = info->method.v_obj;
  int32_t type_index = object->type_index;
  object->type_index = copy.method.type_index = kTVMFFIFunction;
  int status = REFERENCE(FunctionSetGlobalFromMethodInfo)(&copy, allow_override);
  object->type_index = type_index;
  return status;
}
