// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_20, "an allocator is tried out before it is used")
OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  TVMFFIObjectHandle trial = NULL;
  int status = REFERENCE(EnvTensorAlloc)(prototype, &trial);
  if (status != 0) return status;
  TVMFFIObjectDecRef(trial);
  return REFERENCE(EnvTensorAlloc)(prototype, out);
}
