// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MEM_4, "an export that found no memory keeps its reference to the tensor")
OVERRIDE(TensorToDLPack, TVMFFIObjectHandle from, DLManagedTensor **out)
{
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0 && from && ((TVMFFIObject *)from)->type_index == kTVMFFITensor)
    TVMFFIObjectIncRef(from);
  return status;
}
