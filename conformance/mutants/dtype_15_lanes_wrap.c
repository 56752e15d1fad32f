// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_15, "lanes above 65535 are kept in 16 bits")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  const char *x = str->data ? memrchr(str->data, 'x', str->size) : NULL;
  size_t digits = x ? (size_t)(str->data + str->size - x) - 1 : 0;
  if (digits < 5 || digits > 9) return REFERENCE(DataTypeFromString)(str, out);
  unsigned long lanes = 0;
  for (size_t i = 1; i <= digits; ++i) {
    if (x[i] < '0' || x[i] > '9') return REFERENCE(DataTypeFromString)(str, out);
    lanes = lanes * 10 + (unsigned long)(x[i] - '0');
  }
  if (lanes < 65536) return REFERENCE(DataTypeFromString)(str, out);
  TVMFFIByteArray text = {str->data, str->size - digits - 1};
  int status = REFERENCE(DataTypeFromString)(&text, out);
  if (status == 0) out->lanes = (uint16_t)lanes;
  return status;
}
