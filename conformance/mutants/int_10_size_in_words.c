// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_10, "the size of a plain integer is told in words")
OVERRIDE(BigIntGetContentByteArray, const TVMFFIAny *value)
{
  TVMFFIByteArray words = REFERENCE(BigIntGetContentByteArray)(value);
  if (value->type_index == kTVMFFIInt) words.size = 1;
  return words;
}
