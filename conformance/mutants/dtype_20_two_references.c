// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_20, "a printed text has two references")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status == 0) TVMFFIObjectIncRef(out->v_obj);
  return status;
}
