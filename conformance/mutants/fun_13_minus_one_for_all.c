// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_13, "every failure returns -1")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  return REFERENCE(FunctionCall)(func, args, num_args, result) == 0 ? 0 : -1;
}
