// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_8, "float formats of six bits take eight")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && (out->code == kDLFloat6_e2m3fn || out->code == kDLFloat6_e3m2fn))
    out->bits = 8;
  return status;
}
