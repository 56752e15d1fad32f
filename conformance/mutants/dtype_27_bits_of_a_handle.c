// SPDX-License-Identifier: Apache-2.0
#include "mutants/printed_dtype.h"

MUTANT(DTYPE_27, "a handle is printed with its bits")

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  if (dtype->code != kDLOpaqueHandle || dtype->bits != 64)
    return REFERENCE(DataTypeToString)(dtype, out);
  DLDataType number = {kDLBfloat, dtype->bits, 1};
  int status = REFERENCE(DataTypeToString)(&number, out);
  if (status == 0) begin_with(out, strlen("bfloat"), "handle");
  return status;
}
