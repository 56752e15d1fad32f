// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_3, "a number from 2^63 to 2^64 - 1 becomes a plain integer, which is negative")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIBigInt) return status;
  const uint64_t *count = (const uint64_t *)(out->v_obj + 1);
  if (count[0] != 2 || count[2] != 0) return status;
  TVMFFIAny value = {.type_index = kTVMFFIInt, .v_uint64 = count[1]};
  TVMFFIObjectDecRef(out->v_obj);
  *out = value;
  return 0;
}
