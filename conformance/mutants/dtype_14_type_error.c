// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_14, "a text that is no data type raises a TypeError")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("TypeError", "no data type");
  return status;
}
