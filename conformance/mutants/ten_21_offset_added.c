// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_21, "the byte offset is added to the data pointer of an export")
OVERRIDE(TensorToDLPack, TVMFFIObjectHandle from, DLManagedTensor **out)
{
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0) return status;
  DLTensor *tensor = &(*out)->dl_tensor;
  tensor->data = (char *)tensor->data + tensor->byte_offset;
  tensor->byte_offset = 0;
  return 0;
}
