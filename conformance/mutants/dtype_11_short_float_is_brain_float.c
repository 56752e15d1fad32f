// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_11, "f means bfloat")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && str->size > 1 && str->data[0] == 'f' && isdigit((unsigned char)str->data[1]) &&
      out->code == kDLFloat)
    out->code = kDLBfloat;
  return status;
}
