// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_18, "the deleter of a closure runs for each flag of the function's deleter")

typedef void (*Deleter)(void *self, int flags);

static Deleter inner;

static void end(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong)
    inner(self, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) inner(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status != 0) return status;
  TVMFFIObject *function = *out;
  inner = function->deleter;
  function->deleter = end;
  return 0;
}
