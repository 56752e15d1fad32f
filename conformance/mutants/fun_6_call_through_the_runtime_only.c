// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_6, "the safe call in the cell of a closure works only when TVMFFIFunctionCall calls it")

static TVMFFISafeCallType trampoline;

static int refuse(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "not to be called directly");
  return -1;
}

static TVMFFIFunctionCell *cell_of(TVMFFIObjectHandle function)
{
  return (TVMFFIFunctionCell *)((TVMFFIObject *)function + 1);
}

OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status != 0 || cell_of(*out)->safe_call == safe_call) return status;
  trampoline = cell_of(*out)->safe_call;
  cell_of(*out)->safe_call = refuse;
  return 0;
}

OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  if (cell_of(func)->safe_call == refuse) return trampoline(func, args, num_args, result);
  return REFERENCE(FunctionCall)(func, args, num_args, result);
}
