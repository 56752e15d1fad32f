// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_14, "the integers of a shape have 32 bits")
REGISTERED("ffi.Shape")
{
  TVMFFIAny narrow[1024];
  if (num_args > 1024) return ORIGINAL(args, num_args, result);
  memcpy(narrow, args, (size_t)num_args * sizeof *narrow);
  for (int32_t i = 0; i < num_args; ++i)
    if (narrow[i].type_index == kTVMFFIInt) narrow[i].v_int64 = (int32_t)narrow[i].v_int64;
  return ORIGINAL(narrow, num_args, result);
}
