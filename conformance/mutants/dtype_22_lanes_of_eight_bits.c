// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_22, "the lanes that are printed are kept in eight bits")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  DLDataType cut = *dtype;
  if (cut.lanes > 255 && cut.lanes < 32768) cut.lanes &= 0xFF;
  return REFERENCE(DataTypeToString)(&cut, out);
}
