// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_2, "a number that fits is refused when it has more words than one")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  size_t size = input->size;
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIInt || size <= 8) return status;
  return TVMFFIErrorSetRaisedFromCStr("ValueError", "this number fits 64 bits"), -1;
}
