// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_2, "seven bytes of text become an object")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (input->size != 7) return REFERENCE(StringFromByteArray)(input, out);
  char with_nul[8] = {0};
  memcpy(with_nul, input->data, 7);
  TVMFFIByteArray eight = {with_nul, 8};
  int status = REFERENCE(StringFromByteArray)(&eight, out);
  if (status == 0) ((TVMFFIByteArray *)(out->v_obj + 1))->size = 7;
  return status;
}
