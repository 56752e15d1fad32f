// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_10, "bytes without data are refused")
OVERRIDE(BytesFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (input->data) return REFERENCE(BytesFromByteArray)(input, out);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "no data");
  return -1;
}
