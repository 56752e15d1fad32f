// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_35, "the error of a text that is refused keeps a reference")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  TVMFFIObjectHandle error = NULL;
  if (status == 0) return 0;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIErrorSetRaised(error);
  return status;
}
