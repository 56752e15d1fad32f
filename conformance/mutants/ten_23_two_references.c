// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_23, "an export holds two references")
OVERRIDE(TensorToDLPack, TVMFFIObjectHandle from, DLManagedTensor **out)
{
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status == 0) TVMFFIObjectIncRef(from);
  return status;
}
