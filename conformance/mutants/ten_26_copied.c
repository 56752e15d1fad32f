// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_26, "every export is said to be a copy")
OVERRIDE(TensorToDLPackVersioned, TVMFFIObjectHandle from, DLManagedTensorVersioned **out)
{
  int status = REFERENCE(TensorToDLPackVersioned)(from, out);
  if (status == 0) (*out)->flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
  return status;
}
