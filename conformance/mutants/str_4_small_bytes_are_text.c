// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_4, "short bytes become a small string")
OVERRIDE(BytesFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(BytesFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFISmallBytes) out->type_index = kTVMFFISmallStr;
  return status;
}
