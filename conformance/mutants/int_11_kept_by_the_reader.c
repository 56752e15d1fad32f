// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_11, "whoever reads the words of a big integer is given a reference to it")
OVERRIDE(BigIntGetContentByteArray, const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFIBigInt) TVMFFIObjectIncRef(value->v_obj);
  return REFERENCE(BigIntGetContentByteArray)(value);
}
