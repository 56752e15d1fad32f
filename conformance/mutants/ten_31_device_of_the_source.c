// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_31, "a view is on the device of its source")
OVERRIDE(TensorCreateUnsafeView, TVMFFIObjectHandle source, const DLTensor *prototype,
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(TensorCreateUnsafeView)(source, prototype, out);
  if (status != 0) return status;
  DLTensor *body = (DLTensor *)((TVMFFIObject *)*out + 1);
  body->device = ((DLTensor *)((TVMFFIObject *)source + 1))->device;
  return 0;
}
