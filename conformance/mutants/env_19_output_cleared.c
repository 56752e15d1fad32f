// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_19, "the output is NULL where there is no allocator")
OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  if (!TVMFFIEnvGetDLPackManagedTensorAllocator()) *out = NULL;
  return REFERENCE(EnvTensorAlloc)(prototype, out);
}
