// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_3, "bfloat alone has 32 bits")

static bool is(const TVMFFIByteArray *text, const char *word)
{
  return text->size == strlen(word) && memcmp(text->data, word, text->size) == 0;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && is(str, "bfloat")) out->bits = 32;
  return status;
}
