// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_5, "only function objects that the runtime made are called")

static void (*own_deleter)(void *, int);

OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0) own_deleter = ((TVMFFIObject *)*out)->deleter;
  return status;
}

OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  if (own_deleter && ((TVMFFIObject *)func)->deleter == own_deleter)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  TVMFFIErrorSetRaisedFromCStr("TypeError", "not a function of this runtime");
  return -1;
}
