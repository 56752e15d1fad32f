// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_22, "a tensor that was allocated has the data type of the prototype")
OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  if (status == 0) ((DLTensor *)((TVMFFIObject *)*out + 1))->dtype = prototype->dtype;
  return status;
}
