// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_11, "the words of big integers are lent as a copy, which lasts until the next one")

static _Thread_local char copy[8192 * 8];

OVERRIDE(BigIntGetContentByteArray, const TVMFFIAny *value)
{
  TVMFFIByteArray words = REFERENCE(BigIntGetContentByteArray)(value);
  if (value->type_index != kTVMFFIBigInt || words.size > sizeof copy) return words;
  return (TVMFFIByteArray){memcpy(copy, words.data, words.size), words.size};
}
