// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_5, "the padding in the header of a function holds what the memory held")
OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *self),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0) ((TVMFFIObject *)*out)->__padding = 0xA5A5A5A5;
  return status;
}
