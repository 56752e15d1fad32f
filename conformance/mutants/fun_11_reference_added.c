// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_11, "an object in the result gains a reference on its way")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (status == 0 && result->type_index >= kTVMFFIStaticObjectBegin)
    TVMFFIObjectIncRef(result->v_obj);
  return status;
}
