// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_14, "capital letters mean the same as small ones")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  char lower[256];
  if (str->size > sizeof lower) return REFERENCE(DataTypeFromString)(str, out);
  for (size_t i = 0; i < str->size; ++i) lower[i] = (char)tolower((unsigned char)str->data[i]);
  TVMFFIByteArray text = {lower, str->size};
  return REFERENCE(DataTypeFromString)(&text, out);
}
