// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_7, "the number of arguments is kept in 16 bits")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  return REFERENCE(FunctionCall)(func, args, (uint16_t)num_args, result);
}
