// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_33, "a view lets go of its source when its memory is freed")

typedef void (*Deleter)(void *self, int flags);

static Deleter inner;

static void end(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) inner(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

OVERRIDE(TensorCreateUnsafeView, TVMFFIObjectHandle source, const DLTensor *prototype,
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(TensorCreateUnsafeView)(source, prototype, out);
  if (status != 0) return status;
  TVMFFIObject *tensor = *out;
  inner = tensor->deleter;
  tensor->deleter = end;
  return 0;
}
