// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_3, "eight bytes of text are put into the value")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (input->size != 8) return REFERENCE(StringFromByteArray)(input, out);
  TVMFFIAny value = {.type_index = kTVMFFISmallStr, .small_str_len = 8};
  memcpy(value.v_bytes, input->data, 8);
  *out = value;
  return 0;
}
