// SPDX-License-Identifier: Apache-2.0
#include "mutants/printed_dtype.h"

MUTANT(DTYPE_24, "bools are printed with their eight bits")

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  if (dtype->code != kDLBool) return REFERENCE(DataTypeToString)(dtype, out);
  DLDataType number = *dtype;
  number.code = kDLFloat;
  int status = REFERENCE(DataTypeToString)(&number, out);
  if (status == 0) begin_with(out, strlen("float"), "bool");
  return status;
}
