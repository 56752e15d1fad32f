// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_16, "calls nest 100 deep and no deeper")

static _Thread_local int depth;

OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  if (depth >= 100) {
    TVMFFIErrorSetRaisedFromCStr("RecursionError", "too many calls within calls");
    return -1;
  }
  ++depth;
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  --depth;
  return status;
}
