// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_8, "functions without self have no deleter: there is nothing to delete, it seems")
OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *self),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0 && !self && !deleter) ((TVMFFIObject *)*out)->deleter = NULL;
  return status;
}
