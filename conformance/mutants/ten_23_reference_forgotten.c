// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_23, "an export in the form with a version does not keep the tensor alive")
OVERRIDE(TensorToDLPackVersioned, TVMFFIObjectHandle from, DLManagedTensorVersioned **out)
{
  int status = REFERENCE(TensorToDLPackVersioned)(from, out);
  if (status == 0) TVMFFIObjectDecRef(from);
  return status;
}
