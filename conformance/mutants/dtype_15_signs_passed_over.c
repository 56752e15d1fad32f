// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_15, "plus signs before numbers are passed over")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  char plain[256];
  TVMFFIByteArray text = {plain, 0};
  if (str->size > sizeof plain) return REFERENCE(DataTypeFromString)(str, out);
  for (size_t i = 0; i < str->size; ++i)
    if (str->data[i] != '+') plain[text.size++] = str->data[i];
  return REFERENCE(DataTypeFromString)(&text, out);
}
