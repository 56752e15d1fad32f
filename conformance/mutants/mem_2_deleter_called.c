// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MEM_2, "a function that could not be made ends the closure that it was to own")
OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *self),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status != 0 && deleter) deleter(self);
  return status;
}
