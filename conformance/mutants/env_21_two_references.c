// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_21, "a tensor that was allocated has two references")
OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  if (status == 0) TVMFFIObjectIncRef(*out);
  return status;
}
