// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_18, "the index of an element has 32 bits")
REGISTERED("ffi.ArrayGetItem")
{
  if (num_args != 2 || args[1].type_index != kTVMFFIInt || args[1].v_int64 < 0)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny narrow[2] = {args[0], args[1]};
  narrow[1].v_int64 = (uint32_t)args[1].v_int64;
  return ORIGINAL(narrow, 2, result);
}
