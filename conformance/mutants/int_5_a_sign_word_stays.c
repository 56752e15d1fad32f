// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_5, "when words are dropped that repeat the sign, one of them stays")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  size_t given = input->size / 8;
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIBigInt) return status;
  uint64_t count = *(uint64_t *)(out->v_obj + 1);
  if (given == count) return status;
  uint64_t *words = malloc((count + 1) * 8);
  memcpy(words, (uint64_t *)(out->v_obj + 1) + 1, count * 8);
  TVMFFIObjectDecRef(out->v_obj);
  uint64_t sign = words[count - 1] >> 63 ? UINT64_MAX : 0;
  words[count] = ~sign ^ 1;
  TVMFFIByteArray longer = {(const char *)words, (count + 1) * 8};
  status = REFERENCE(BigIntFromByteArray)(&longer, out);
  if (status == 0) ((uint64_t *)(out->v_obj + 1))[count + 1] = sign;
  free(words);
  return status;
}
