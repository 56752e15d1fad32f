// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_25, "the version of an export is not written")
OVERRIDE(TensorToDLPackVersioned, TVMFFIObjectHandle from, DLManagedTensorVersioned **out)
{
  int status = REFERENCE(TensorToDLPackVersioned)(from, out);
  if (status == 0) memset(&(*out)->version, 0, sizeof(*out)->version);
  return status;
}
