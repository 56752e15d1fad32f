// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_12, "what was read of a number of more than 1024 words makes one of 1024")

static _Thread_local const char *lent;

OVERRIDE(BigIntGetContentByteArray, const TVMFFIAny *value)
{
  TVMFFIByteArray words = REFERENCE(BigIntGetContentByteArray)(value);
  lent = words.data;
  return words;
}

OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  TVMFFIByteArray words = *input;
  if (words.data && words.data == lent && words.size > 8192) words.size = 8192;
  return REFERENCE(BigIntFromByteArray)(&words, out);
}
