// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_13, "the lanes behind an underscore are lost")

static bool has(const TVMFFIByteArray *text, const char *word)
{
  return memmem(text->data, text->size, word, strlen(word)) != NULL;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && has(str, "_x")) out->lanes = 1;
  return status;
}
