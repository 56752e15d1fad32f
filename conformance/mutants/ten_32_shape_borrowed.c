// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_32, "a view has the shape of its prototype and no copy of it")
OVERRIDE(TensorCreateUnsafeView, TVMFFIObjectHandle source, const DLTensor *prototype,
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(TensorCreateUnsafeView)(source, prototype, out);
  if (status != 0) return status;
  DLTensor *body = (DLTensor *)((TVMFFIObject *)*out + 1);
  body->shape = prototype->shape;
  return 0;
}
