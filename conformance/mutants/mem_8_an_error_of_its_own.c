// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MEM_8, "a string for which there is no memory is a MemoryError")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("MemoryError", "out of memory");
  return status;
}
