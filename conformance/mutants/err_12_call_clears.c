// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_12, "calling a function clears the slot first")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  TVMFFIErrorSetRaised(NULL);
  return REFERENCE(FunctionCall)(func, args, num_args, result);
}
