// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_4, "the object holds the highest word first, and lends the words the right way round")

static _Thread_local uint64_t turned[8192];

static void turn(const uint64_t *from, size_t count, uint64_t *to)
{
  for (size_t i = 0; i < count; ++i) to[i] = from[count - 1 - i];
}

OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIBigInt) return status;
  uint64_t *cell = (uint64_t *)(out->v_obj + 1);
  turn(cell + 1, cell[0], turned);
  memcpy(cell + 1, turned, cell[0] * sizeof *cell);
  return 0;
}

OVERRIDE(BigIntGetContentByteArray, const TVMFFIAny *value)
{
  TVMFFIByteArray words = REFERENCE(BigIntGetContentByteArray)(value);
  if (value->type_index != kTVMFFIBigInt) return words;
  turn((const uint64_t *)(const void *)words.data, words.size / 8, turned);
  return (TVMFFIByteArray){(const char *)turned, words.size};
}
