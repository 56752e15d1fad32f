// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_10, "an input without data becomes None")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && !input->data) out->type_index = kTVMFFINone;
  return status;
}
