// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_29, "a code without a name raises a TypeError")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 && dtype->code <= 128) TVMFFIErrorSetRaisedFromCStr("TypeError", "no such code");
  return status;
}
