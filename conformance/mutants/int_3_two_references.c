// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_3, "a new big integer has two references")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIBigInt) TVMFFIObjectIncRef(out->v_obj);
  return status;
}
