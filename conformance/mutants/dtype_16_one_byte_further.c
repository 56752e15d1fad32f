// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_16, "the byte behind a text is read")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  if (str->data && ((const volatile char *)str->data)[str->size] == '?') return -1;
  return REFERENCE(DataTypeFromString)(str, out);
}
