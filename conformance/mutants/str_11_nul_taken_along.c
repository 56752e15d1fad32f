// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_11, "one byte behind long text is read, for the NUL that is thought to be there")

static volatile char taken;

OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (input->size > 7) taken = input->data[input->size];
  return REFERENCE(StringFromByteArray)(input, out);
}
