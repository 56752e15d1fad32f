// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_12, "a string object points to the text that it was made of")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr)
    ((TVMFFIByteArray *)(out->v_obj + 1))->data = input->data;
  return status;
}
