// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_30, "the name of a custom type ends at a blank")

static bool is_custom(const TVMFFIByteArray *text)
{
  return text->size > 7 && memcmp(text->data, "custom[", 7) == 0;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  char text[256];
  const char *blank = is_custom(str) ? memchr(str->data, ' ', str->size) : NULL;
  const char *end = blank ? memchr(blank, ']', str->size - (size_t)(blank - str->data)) : NULL;
  if (!end || str->size > sizeof text) return REFERENCE(DataTypeFromString)(str, out);
  size_t head = (size_t)(blank - str->data), tail = str->size - (size_t)(end - str->data);
  memcpy(text, str->data, head);
  memcpy(text + head, end, tail);
  return REFERENCE(DataTypeFromString)(&(TVMFFIByteArray){text, head + tail}, out);
}
