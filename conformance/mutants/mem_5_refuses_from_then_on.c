// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static _Thread_local int exhausted;

MUTANT(MEM_5, "once there was no memory for a string, there is none for the strings that follow")
OVERRIDE(BytesFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (!exhausted && REFERENCE(BytesFromByteArray)(input, out) == 0) return 0;
  exhausted = 1;
  TVMFFIErrorSetRaisedFromCStr("InternalError", "out of memory");
  return -1;
}
