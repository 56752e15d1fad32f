// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_23, "32768 scalable lanes are not printed")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  DLDataType cut = *dtype;
  if (cut.lanes == 32768) cut.lanes = 1;
  return REFERENCE(DataTypeToString)(&cut, out);
}
