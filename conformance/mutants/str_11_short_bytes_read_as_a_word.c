// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_11, "eight bytes of short bytes are read at once")

static volatile char word[8];

OVERRIDE(BytesFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (input->size >= 1 && input->size <= 7)
    for (int i = 0; i < 8; ++i) word[i] = input->data[i];
  return REFERENCE(BytesFromByteArray)(input, out);
}
