// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_5, "long bytes become a string object")
OVERRIDE(BytesFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (input->size <= 7) return REFERENCE(BytesFromByteArray)(input, out);
  return TVMFFIStringFromByteArray(input, out);
}
