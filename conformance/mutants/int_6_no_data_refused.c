// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_6, "no words without data are refused")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (input->data) return REFERENCE(BigIntFromByteArray)(input, out);
  return TVMFFIErrorSetRaisedFromCStr("ValueError", "there is no data"), -1;
}
