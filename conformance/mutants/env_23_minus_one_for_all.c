// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_23, "every failure of an allocator returns -1")
OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  return REFERENCE(EnvTensorAlloc)(prototype, out) == 0 ? 0 : -1;
}
