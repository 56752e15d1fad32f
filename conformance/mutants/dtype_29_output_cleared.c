// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_29, "the output is None when a code has no name")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0) *out = (TVMFFIAny){.type_index = kTVMFFINone};
  return status;
}
