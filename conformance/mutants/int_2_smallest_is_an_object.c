// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_2, "-2^63 becomes an object, as its absolute value does not fit")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIInt || out->v_int64 != INT64_MIN) return status;
  uint64_t words[2] = {(uint64_t)INT64_MIN, 0};
  TVMFFIByteArray positive = {(const char *)words, sizeof words};
  status = REFERENCE(BigIntFromByteArray)(&positive, out);
  if (status == 0) ((uint64_t *)(out->v_obj + 1))[2] = UINT64_MAX;
  return status;
}
