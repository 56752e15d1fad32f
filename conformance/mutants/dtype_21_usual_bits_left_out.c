// SPDX-License-Identifier: Apache-2.0
#include "mutants/printed_dtype.h"

MUTANT(DTYPE_21, "32 bits are not printed")

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 || dtype->bits != 32 || dtype->lanes != 1) return status;
  if (dtype->code <= kDLFloat) begin_with(out, 0, "");
  if (dtype->code <= kDLFloat) printed(out)->size -= 2;
  return status;
}
