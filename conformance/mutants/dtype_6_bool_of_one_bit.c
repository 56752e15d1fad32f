// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_6, "bool alone has one bit")

static bool is(const TVMFFIByteArray *text, const char *word)
{
  return text->size == strlen(word) && memcmp(text->data, word, text->size) == 0;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && is(str, "bool")) out->bits = 1;
  return status;
}
