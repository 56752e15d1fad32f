// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_2, "a number with a leading zero is refused")

static int refuse(const char *message)
{
  TVMFFIErrorSetRaisedFromCStr("ValueError", message);
  return -1;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  for (size_t i = 1; i + 1 < str->size; ++i)
    if (str->data[i] == '0' && isalpha((unsigned char)str->data[i - 1]) &&
        isdigit((unsigned char)str->data[i + 1]))
      return refuse("a leading zero");
  return REFERENCE(DataTypeFromString)(str, out);
}
