// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_31, "the name of the first custom type is asked for")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  DLDataType first = *dtype;
  if (first.code >= 129) first.code = 129;
  return REFERENCE(DataTypeToString)(&first, out);
}
