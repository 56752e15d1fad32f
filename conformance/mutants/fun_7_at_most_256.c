// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_7, "no more than 256 arguments are passed on")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  return REFERENCE(FunctionCall)(func, args, num_args > 256 ? 256 : num_args, result);
}
