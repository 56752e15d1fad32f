// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_28, "every export loses a few bytes")
OVERRIDE(TensorToDLPack, TVMFFIObjectHandle from, DLManagedTensor **out)
{
  static void *lost;
  void **block = malloc(16);
  if (block) *block = lost;
  lost = block;
  return REFERENCE(TensorToDLPack)(from, out);
}
