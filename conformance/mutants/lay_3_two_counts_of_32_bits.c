// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_3, "a new function has its counts as two numbers of 32 bits, one behind the other")
OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *self),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0) memcpy((char *)*out + 8, (uint32_t[]){1, 1}, 8);
  return status;
}
