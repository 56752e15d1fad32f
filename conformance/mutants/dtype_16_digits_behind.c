// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_16, "digits behind a text belong to it")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  TVMFFIByteArray text = *str;
  while (text.size > 0 && isdigit((unsigned char)text.data[text.size])) ++text.size;
  return REFERENCE(DataTypeFromString)(&text, out);
}
