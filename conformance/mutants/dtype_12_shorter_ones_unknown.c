// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_12, "f8_, f6_ and f4_ are not known")

static int refuse(const char *message)
{
  TVMFFIErrorSetRaisedFromCStr("ValueError", message);
  return -1;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  if (str->size > 2 && str->data[0] == 'f' && str->data[2] == '_') return refuse("a short name");
  return REFERENCE(DataTypeFromString)(str, out);
}
