// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_2, "a new function has a second strong reference, for the runtime itself")
OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *),
         TVMFFIObjectHandle *out)

{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0) TVMFFIObjectIncRef(*out);
  return status;
}
