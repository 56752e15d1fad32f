// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_15, "a missing number of lanes means none")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  TVMFFIByteArray text = *str;
  if (text.size < 2 || text.data[text.size - 1] != 'x')
    return REFERENCE(DataTypeFromString)(str, out);
  --text.size;
  int status = REFERENCE(DataTypeFromString)(&text, out);
  if (status == 0) out->lanes = 0;
  return status;
}
