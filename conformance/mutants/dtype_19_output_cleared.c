// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_19, "the output is cleared before a text is read")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  *out = (DLDataType){0, 0, 0};
  return REFERENCE(DataTypeFromString)(str, out);
}
