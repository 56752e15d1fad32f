// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_14, "words behind the bracket of a custom type are passed over")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 || str->size < 7 || memcmp(str->data, "custom[", 7) != 0) return status;
  const char *end = memchr(str->data, ']', str->size);
  if (end == NULL || end + 1 == str->data + str->size) return status;
  if (end[1] == 'x' || (end[1] >= '0' && end[1] <= '9')) return status;
  TVMFFIErrorSetRaised(NULL);
  TVMFFIByteArray text = {str->data, (size_t)(end + 1 - str->data)};
  return REFERENCE(DataTypeFromString)(&text, out);
}
