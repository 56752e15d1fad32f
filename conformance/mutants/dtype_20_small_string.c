// SPDX-License-Identifier: Apache-2.0
#include "mutants/printed_dtype.h"

MUTANT(DTYPE_20, "a short text is a small string")

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 || printed(out)->size > 7) return status;
  TVMFFIObjectHandle object = out->v_obj;
  status = TVMFFIStringFromByteArray(printed(out), out);
  TVMFFIObjectDecRef(object);
  return status;
}
