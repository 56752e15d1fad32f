// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_31, "the byte offset of a prototype is added to the data pointer of the view")
OVERRIDE(TensorCreateUnsafeView, TVMFFIObjectHandle source, const DLTensor *prototype,
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(TensorCreateUnsafeView)(source, prototype, out);
  if (status != 0) return status;
  DLTensor *body = (DLTensor *)((TVMFFIObject *)*out + 1);
  body->data = (char *)body->data + body->byte_offset;
  body->byte_offset = 0;
  return 0;
}
