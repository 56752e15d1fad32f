// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_2, "a callback is called once when the function is made, to see whether it works")
OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *),
         TVMFFIObjectHandle *out)

{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  TVMFFIAny nothing = {.type_index = kTVMFFINone};
  if (status == 0) TVMFFIFunctionCall(*out, NULL, 0, &nothing);
  return status;
}
