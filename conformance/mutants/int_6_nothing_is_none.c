// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_6, "no words are None")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  size_t size = input->size;
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status == 0 && size == 0) out->type_index = kTVMFFINone;
  return status;
}
