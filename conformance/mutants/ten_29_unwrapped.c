// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_29, "an export that is imported again is the tensor that it came from")

static _Thread_local TVMFFIObjectHandle exported;
static _Thread_local DLManagedTensor *given;

OVERRIDE(TensorToDLPack, TVMFFIObjectHandle from, DLManagedTensor **out)
{
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0) return status;
  exported = from;
  given = *out;
  return 0;
}

OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  if (!given || from != given)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  given = NULL;
  *out = exported;
  TVMFFIObjectIncRef(exported);
  from->deleter(from);
  return 0;
}
