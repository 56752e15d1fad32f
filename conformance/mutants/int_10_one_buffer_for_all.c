// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_10, "the words of plain integers lie in one buffer")

static _Thread_local int64_t word;

OVERRIDE(BigIntGetContentByteArray, const TVMFFIAny *value)
{
  if (value->type_index != kTVMFFIInt) return REFERENCE(BigIntGetContentByteArray)(value);
  word = value->v_int64;
  return (TVMFFIByteArray){(const char *)&word, sizeof word};
}
