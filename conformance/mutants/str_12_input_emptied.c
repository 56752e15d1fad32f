// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_12, "the byte array is emptied after its bytes were taken")
OVERRIDE(BytesFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(BytesFromByteArray)(input, out);
  *(volatile size_t *)(uintptr_t)&input->size = 0;
  return status;
}
