// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_11, "short names are not known")

static int refuse(const char *message)
{
  TVMFFIErrorSetRaisedFromCStr("ValueError", message);
  return -1;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  if (str->size > 1 && strchr("iuf", str->data[0]) && isdigit((unsigned char)str->data[1]) &&
      !memchr(str->data, '_', str->size))
    return refuse("a short name");
  return REFERENCE(DataTypeFromString)(str, out);
}
