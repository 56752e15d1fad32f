// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_18, "a text ends at the first NUL in it")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  TVMFFIByteArray text = {str->data, str->data ? strnlen(str->data, str->size) : 0};
  return REFERENCE(DataTypeFromString)(&text, out);
}
