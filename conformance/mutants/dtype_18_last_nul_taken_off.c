// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_18, "a NUL at the end of a text is taken off")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  TVMFFIByteArray text = *str;
  if (text.size > 1 && text.data[text.size - 1] == '\0') --text.size;
  return REFERENCE(DataTypeFromString)(&text, out);
}
