// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_28, "the lanes of numbers with an odd number of bits are not printed")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  DLDataType single = *dtype;
  if (single.bits % 2) single.lanes = 1;
  return REFERENCE(DataTypeToString)(&single, out);
}
