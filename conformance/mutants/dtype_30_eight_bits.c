// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_30, "a custom type without bits has eight")

static bool is_custom(const TVMFFIByteArray *text)
{
  return text->size > 7 && memcmp(text->data, "custom[", 7) == 0;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  const char *end = is_custom(str) ? memchr(str->data, ']', str->size) : NULL;
  if (status == 0 && end && (end + 1 == str->data + str->size || end[1] == 'x')) out->bits = 8;
  return status;
}
