// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_28, "xvscalex behind three digits of bits is refused")

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
  DLDataType dtype;
  int status = REFERENCE(DataTypeFromString)(str, &dtype);
  if (status != 0) return status;
  if (dtype.bits >= 100 && has(str, "xvscalex")) return refuse("too long");
  *out = dtype;
  return 0;
}
