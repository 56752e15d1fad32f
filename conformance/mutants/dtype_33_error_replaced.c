// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_33, "the error of the function for names is replaced")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 && dtype->code >= 129) TVMFFIErrorSetRaisedFromCStr("ValueError", "unknown type");
  return status;
}
