// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_9, "the lanes of float formats are lost")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && out->code >= kDLFloat8_e3m4 && out->code <= kDLFloat4_e2m1fn) out->lanes = 1;
  return status;
}
