// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_6, "the size of a string is kept in 16 bits")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr)
    ((TVMFFIByteArray *)(out->v_obj + 1))->size &= UINT16_MAX;
  return status;
}
