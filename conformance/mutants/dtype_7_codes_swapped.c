// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_7, "two float formats of eight bits have each other's code")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status != 0) return status;
  if (out->code == kDLFloat8_e4m3b11fnuz || out->code == kDLFloat8_e4m3fn)
    out->code ^= kDLFloat8_e4m3b11fnuz ^ kDLFloat8_e4m3fn;
  return 0;
}
