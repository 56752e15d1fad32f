// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_10, "an empty text without data is refused")

static int refuse(const char *message)
{
  TVMFFIErrorSetRaisedFromCStr("ValueError", message);
  return -1;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  if (!str->data) return refuse("no text");
  return REFERENCE(DataTypeFromString)(str, out);
}
