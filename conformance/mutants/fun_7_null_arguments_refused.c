// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_7, "a call without an array of arguments is refused even if there are none")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  if (args) return REFERENCE(FunctionCall)(func, args, num_args, result);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "args must not be NULL");
  return -1;
}
