// SPDX-License-Identifier: Apache-2.0
#include "mutants/printed_dtype.h"

MUTANT(DTYPE_25, "an unsigned integer of one bit prints as bool")

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status == 0 && dtype->code == kDLUInt && dtype->bits == 1)
    begin_with(out, strlen("uint1"), "bool");
  return status;
}
