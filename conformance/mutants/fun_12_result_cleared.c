// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_12, "the result is None before every call")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  if (result) memset(result, 0, sizeof *result);
  return REFERENCE(FunctionCall)(func, args, num_args, result);
}
