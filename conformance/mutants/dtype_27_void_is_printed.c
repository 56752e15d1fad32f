// SPDX-License-Identifier: Apache-2.0
#include "mutants/printed_dtype.h"

MUTANT(DTYPE_27, "the type of no value prints as void")

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  if (dtype->code != kDLOpaqueHandle || dtype->bits != 0 || dtype->lanes != 0)
    return REFERENCE(DataTypeToString)(dtype, out);
  DLDataType number = {kDLFloat, 8, 1};
  int status = REFERENCE(DataTypeToString)(&number, out);
  if (status == 0) begin_with(out, strlen("float8"), "void");
  return status;
}
