// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_32, "a key without a value leads to None")
REGISTERED("ffi.Map")
{
  TVMFFIAny pairs[64];
  if (num_args % 2 == 0 || num_args > 63) return ORIGINAL(args, num_args, result);
  memcpy(pairs, args, (size_t)num_args * sizeof *pairs);
  memset(&pairs[num_args], 0, sizeof *pairs);
  return ORIGINAL(pairs, num_args + 1, result);
}
