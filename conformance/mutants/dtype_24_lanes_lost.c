// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_24, "the lanes of bools are not printed")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  DLDataType single = *dtype;
  if (single.code == kDLBool) single.lanes = 1;
  return REFERENCE(DataTypeToString)(&single, out);
}
