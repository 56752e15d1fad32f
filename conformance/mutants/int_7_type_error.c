// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_7, "half a word is a TypeError")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (input->size % 8 == 0) return REFERENCE(BigIntFromByteArray)(input, out);
  return TVMFFIErrorSetRaisedFromCStr("TypeError", "half a word"), -1;
}
