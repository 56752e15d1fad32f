// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_10, "a float may be an index")
REGISTERED("ffi.ArrayGetItem")
{
  if (num_args != 2 || args[1].type_index != kTVMFFIFloat) return ORIGINAL(args, num_args, result);
  TVMFFIAny rounded[2] = {args[0], {.type_index = kTVMFFIInt}};
  rounded[1].v_int64 = (int64_t)args[1].v_float64;
  return ORIGINAL(rounded, 2, result);
}
