// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_40, "functions are freed by the allocator that is in force when they die")

typedef void (*Deleter)(void *self, int flags);

static TVMFFICustomAllocator *custom;
static Deleter inner;

static void end(void *self, int flags)
{
  if (!custom) {
    inner(self, flags);
    return;
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong)
    inner(self, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak)
    ((TVMFFIObjectAllocHeader *)self)[-1].delete_space(self);
}

OVERRIDE(SetCustomAllocator, TVMFFICustomAllocator *allocator)
{
  custom = allocator;
  return REFERENCE(SetCustomAllocator)(allocator);
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
