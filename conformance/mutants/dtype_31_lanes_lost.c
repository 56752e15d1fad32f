// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_31, "the lanes of custom types are not printed")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  DLDataType single = *dtype;
  if (single.code >= 129) single.lanes = 1;
  return REFERENCE(DataTypeToString)(&single, out);
}
