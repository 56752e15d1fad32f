// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(TYPE_7, "the marker of structural mutation has no type key")

static bool is(const TVMFFIByteArray *text, const char *word)
{
  return text->size == strlen(word) && memcmp(text->data, word, text->size) == 0;
}

static int refuse(const char *kind)
{
  TVMFFIErrorSetRaisedFromCStr(kind, "refused");
  return -1;
}

OVERRIDE(TypeKeyToIndex, const TVMFFIByteArray *type_key, int32_t *out_tindex)
{
  if (is(type_key, "ffi.Unchanged")) return refuse("InternalError");
  return REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
}
