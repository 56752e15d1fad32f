// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_22, "a tensor of another number of dimensions than the prototype has is refused")
OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  TVMFFIObjectHandle made = NULL;
  int status = REFERENCE(EnvTensorAlloc)(prototype, &made);
  if (status != 0) return status;
  if (((DLTensor *)((TVMFFIObject *)made + 1))->ndim == prototype->ndim) {
    *out = made;
    return 0;
  }
  TVMFFIObjectDecRef(made);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the allocator made something else");
  return -1;
}
