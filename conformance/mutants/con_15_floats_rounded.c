// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_15, "a shape takes floats and rounds them")
REGISTERED("ffi.Shape")
{
  TVMFFIAny rounded[1024];
  if (num_args > 1024) return ORIGINAL(args, num_args, result);
  memcpy(rounded, args, (size_t)num_args * sizeof *rounded);
  for (int32_t i = 0; i < num_args; ++i) {
    if (rounded[i].type_index != kTVMFFIFloat) continue;
    rounded[i].type_index = kTVMFFIInt;
    rounded[i].v_int64 = (int64_t)rounded[i].v_float64;
  }
  return ORIGINAL(rounded, num_args, result);
}
