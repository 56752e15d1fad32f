// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_13, "the padding of a string object is left as it was in the result")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  uint32_t padding = out->zero_padding;
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr) out->zero_padding = padding;
  return status;
}
