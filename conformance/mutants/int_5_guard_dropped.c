// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_5, "a last word that is needed for the sign is dropped from long numbers")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIBigInt) return status;
  uint64_t *cell = (uint64_t *)(out->v_obj + 1), last = cell[cell[0]];
  if (cell[0] > 2 && (last == 0 || last == UINT64_MAX)) --cell[0];
  return 0;
}
