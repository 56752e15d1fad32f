// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_19, "a NUL is written to the end of the text while it is read")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  if (str->size == 0) return REFERENCE(DataTypeFromString)(str, out);
  char *last = (char *)str->data + str->size - 1, before = *last;
  *(volatile char *)last = '\0';
  *(volatile char *)last = before;
  return REFERENCE(DataTypeFromString)(str, out);
}
