// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_9, "text with a byte that begins no UTF-8 sequence is refused")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  for (size_t i = 0; i < input->size; ++i)
    if ((unsigned char)input->data[i] >= 0xF8) {
      TVMFFIErrorSetRaisedFromCStr("ValueError", "invalid UTF-8");
      return -1;
    }
  return REFERENCE(StringFromByteArray)(input, out);
}
