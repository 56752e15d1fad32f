// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_19, "where there is no allocator nothing is raised")
OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  return TVMFFIEnvGetDLPackManagedTensorAllocator() ? REFERENCE(EnvTensorAlloc)(prototype, out)
                                                    : -1;
}
