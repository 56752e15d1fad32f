// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(TYPE_6, "the key of the big integer leads to the plain one")

static bool is(const TVMFFIByteArray *text, const char *word)
{
  return text->size == strlen(word) && memcmp(text->data, word, text->size) == 0;
}

OVERRIDE(TypeKeyToIndex, const TVMFFIByteArray *type_key, int32_t *out_tindex)
{
  int status = REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
  if (is(type_key, "ffi.BigInt")) *out_tindex = kTVMFFIInt;
  return status;
}
