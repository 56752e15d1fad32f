// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(TYPE_4, "the key of the mutable map leads to the other one")

static bool is(const TVMFFIByteArray *text, const char *word)
{
  return text->size == strlen(word) && memcmp(text->data, word, text->size) == 0;
}

OVERRIDE(TypeKeyToIndex, const TVMFFIByteArray *type_key, int32_t *out_tindex)
{
  int status = REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
  if (is(type_key, "ffi.Dict")) *out_tindex = kTVMFFIMap;
  return status;
}
