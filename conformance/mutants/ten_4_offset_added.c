// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_4, "the byte offset is added to the data pointer")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  DLTensor *body = (DLTensor *)((TVMFFIObject *)*out + 1);
  body->data = (char *)body->data + body->byte_offset;
  body->byte_offset = 0;
  return 0;
}
