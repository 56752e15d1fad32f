// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_20, "an array is searched for numbers of equal value")
REGISTERED("ffi.ArrayContains")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->v_int64 || args[1].type_index != kTVMFFIFloat) return status;
  TVMFFIAny number[2] = {args[0], {.type_index = kTVMFFIInt}};
  number[1].v_int64 = (int64_t)args[1].v_float64;
  return ORIGINAL(number, 2, result);
}
