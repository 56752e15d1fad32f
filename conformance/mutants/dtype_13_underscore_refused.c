// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_13, "the second spelling of the packed format is refused")

static bool has(const TVMFFIByteArray *text, const char *word)
{
  return memmem(text->data, text->size, word, strlen(word)) != NULL;
}

static int refuse(const char *message)
{
  TVMFFIErrorSetRaisedFromCStr("ValueError", message);
  return -1;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  if (has(str, "_x")) return refuse("an underscore");
  return REFERENCE(DataTypeFromString)(str, out);
}
