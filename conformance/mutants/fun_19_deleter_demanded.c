// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_19, "a closure without deleter is refused")
OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *),
         TVMFFIObjectHandle *out)

{
  if (!self || deleter) return REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "a closure needs a deleter");
  return -1;
}
