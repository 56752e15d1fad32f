// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_20, "a short text is a small string")

// The text that was printed, to be changed in place.
static TVMFFIByteArray *printed(const TVMFFIAny *out)
{
  return (TVMFFIByteArray *)((TVMFFIObject *)out->v_obj + 1);
}

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 || printed(out)->size > 7) return status;
  TVMFFIObjectHandle object = out->v_obj;
  status = TVMFFIStringFromByteArray(printed(out), out);
  TVMFFIObjectDecRef(object);
  return status;
}
