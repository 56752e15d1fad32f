// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_9, "a continuation byte at the beginning of text is replaced by a question mark")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFISmallStr &&
      ((unsigned char)out->v_bytes[0] >> 6) == 2)
    out->v_bytes[0] = '?';
  return status;
}
