// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_29, "a code without a name prints as a number")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  DLDataType number = *dtype;
  if (number.code >= 100 && number.code <= 128) number.code = kDLUInt;
  return REFERENCE(DataTypeToString)(&number, out);
}
