// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_8, "text ends at its first NUL")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  TVMFFIByteArray cut = {input->data, input->data ? strnlen(input->data, input->size) : 0};
  return REFERENCE(StringFromByteArray)(&cut, out);
}
