// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_17, "elements are counted from the last")
REGISTERED("ffi.ArrayGetItem")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIInt)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny other[2] = {args[0], args[1]};
  int64_t size = sequence(&args[0])->size;
  if (args[1].v_int64 >= 0 && args[1].v_int64 < size) other[1].v_int64 = size - 1 - args[1].v_int64;
  return ORIGINAL(other, 2, result);
}
