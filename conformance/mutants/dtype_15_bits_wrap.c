// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdio.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_15, "bits above 255 are kept in eight bits")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  size_t name = 0, end;
  while (name < str->size && isalpha((unsigned char)str->data[name])) ++name;
  for (end = name; end < str->size && isdigit((unsigned char)str->data[end]); ++end) continue;
  if (end == name || end - name > 6 || str->size > 64)
    return REFERENCE(DataTypeFromString)(str, out);
  unsigned bits = 0;
  for (size_t i = name; i < end; ++i) bits = bits * 10 + (unsigned)(str->data[i] - '0');
  char text[128];
  int size = snprintf(text, sizeof text, "%.*s%u%.*s", (int)name, str->data, bits % 256,
                      (int)(str->size - end), str->data + end);
  return REFERENCE(DataTypeFromString)(&(TVMFFIByteArray){text, (size_t)size}, out);
}
