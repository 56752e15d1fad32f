// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_9, "the padding is left as it was in the output")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  uint32_t padding = out->zero_padding;
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status == 0) out->zero_padding = padding;
  return status;
}
