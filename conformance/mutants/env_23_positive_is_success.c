// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_23, "an allocator that returns a positive code has succeeded")
OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  return status > 0 ? 0 : status;
}
