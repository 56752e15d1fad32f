// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_33, "of equal keys the first value counts")
REGISTERED("ffi.Map")
{
  TVMFFIAny pairs[64];
  if (num_args > 64) return ORIGINAL(args, num_args, result);
  memcpy(pairs, args, (size_t)num_args * sizeof *pairs);
  for (int32_t i = 0; i + 1 < num_args; i += 2)
    for (int32_t j = i - 2; j >= 0; j -= 2)
      if (memcmp(&pairs[i], &pairs[j], sizeof *pairs) == 0) pairs[i + 1] = pairs[j + 1];
  return ORIGINAL(pairs, num_args, result);
}
