// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_18, "the deleter of a closure whose self is NULL is not called")

static void nothing(void *self)
{
  (void)self;
}

OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *),
         TVMFFIObjectHandle *out)
{
  return REFERENCE(FunctionCreate)(self, safe_call, deleter && !self ? nothing : deleter, out);
}
