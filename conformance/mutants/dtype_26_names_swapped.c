// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_26, "two float formats print each other's name")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  DLDataType other = *dtype;
  if (other.code == kDLFloat8_e4m3b11fnuz || other.code == kDLFloat8_e4m3fn)
    other.code ^= kDLFloat8_e4m3b11fnuz ^ kDLFloat8_e4m3fn;
  return REFERENCE(DataTypeToString)(&other, out);
}
