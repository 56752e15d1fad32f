// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_20, "an output that is not clear is refused")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  if (!out->v_obj) return REFERENCE(DataTypeToString)(dtype, out);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "the output holds something");
  return -1;
}
