// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_8, "the callback sees the object in place of an rvalue reference to it")

enum { MOST = 64 };

OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  TVMFFIAny copy[MOST];
  if (num_args > MOST || num_args <= 0)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    copy[i] = args[i];
    if (args[i].type_index != kTVMFFIObjectRValueRef) continue;
    copy[i].v_obj = *(TVMFFIObject **)args[i].v_ptr;
    copy[i].type_index = copy[i].v_obj->type_index;
  }
  return REFERENCE(FunctionCall)(func, copy, num_args, result);
}
