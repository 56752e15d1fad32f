// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_8,
       "the size in the byte array of the caller is set to that of the words that are needed")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  volatile size_t *size = (volatile size_t *)(uintptr_t)&input->size;
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status == 0)
    *size = out->type_index == kTVMFFIInt ? 8 : 8 * *(const uint64_t *)(out->v_obj + 1);
  return status;
}
