// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_14, "the C callback stands in the place of the C++ call too")
OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *self),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0) memcpy((char *)*out + 32, (char *)*out + 24, sizeof safe_call);
  return status;
}
