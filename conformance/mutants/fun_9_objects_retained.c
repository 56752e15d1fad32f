// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_9, "a call keeps a reference to every object among its arguments")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  for (int32_t i = 0; i < num_args; ++i)
    if (args[i].type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectIncRef(args[i].v_obj);
  return REFERENCE(FunctionCall)(func, args, num_args, result);
}
