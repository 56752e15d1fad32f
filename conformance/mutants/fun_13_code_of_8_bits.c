// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_13, "a return code is kept in 8 bits")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  return (signed char)REFERENCE(FunctionCall)(func, args, num_args, result);
}
