// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_15, "a copy of the words is left behind")

static char *volatile left;

OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  left = malloc(input->size + 1);
  return REFERENCE(BigIntFromByteArray)(input, out);
}
