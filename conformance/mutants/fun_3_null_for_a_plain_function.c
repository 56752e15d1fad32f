// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_3, "a callback without closure is called with NULL")

static void nothing(void *self)
{
  (void)self;
}

OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *),
         TVMFFIObjectHandle *out)
{
  return REFERENCE(FunctionCreate)(self, safe_call, deleter || self ? deleter : nothing, out);
}
