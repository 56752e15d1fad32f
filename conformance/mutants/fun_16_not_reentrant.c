// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_16, "a function that is running in a thread can't be called by it")

static _Thread_local TVMFFIObjectHandle running;

OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  TVMFFIObjectHandle outer = running;
  if (func == outer) {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the function is running already");
    return -1;
  }
  running = func;
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  running = outer;
  return status;
}
