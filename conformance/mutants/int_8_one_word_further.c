// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_8, "one word behind the size is read, in search of the sign")

static volatile char sign;

OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (input->size) sign = input->data[input->size + 7];
  return REFERENCE(BigIntFromByteArray)(input, out);
}
