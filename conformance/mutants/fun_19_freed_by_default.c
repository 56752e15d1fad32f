// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_19, "a self without a deleter is given to free")
OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *),
         TVMFFIObjectHandle *out)

{
  return REFERENCE(FunctionCreate)(self, safe_call, self && !deleter ? free : deleter, out);
}
