// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_5, "a call that fails is tried once more")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  return status == 0 ? 0 : REFERENCE(FunctionCall)(func, args, num_args, result);
}
