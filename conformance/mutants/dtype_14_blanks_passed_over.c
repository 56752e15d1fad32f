// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_14, "blanks behind a text are passed over")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  TVMFFIByteArray text = *str;
  while (text.size > 0 && strchr(" \n\r", text.data[text.size - 1])) --text.size;
  return REFERENCE(DataTypeFromString)(&text, out);
}
