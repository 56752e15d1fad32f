// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_6, "bool is an unsigned integer of one bit")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && out->code == kDLBool) {
    out->code = kDLUInt;
    out->bits = 1;
  }
  return status;
}
