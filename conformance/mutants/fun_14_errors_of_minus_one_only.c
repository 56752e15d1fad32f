// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_14, "the error of a callback that returned anything but -1 is dropped")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (status != 0 && status != -1) TVMFFIErrorSetRaised(NULL);
  return status;
}
