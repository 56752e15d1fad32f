// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_24, "an element is inserted behind the one of the index")
REGISTERED("ffi.ListInsert")
{
  if (num_args != 3 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIInt)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], args[2]};
  int64_t size = sequence(&args[0])->size;
  if (args[1].v_int64 >= 0 && args[1].v_int64 < size) ++other[1].v_int64;
  return ORIGINAL(other, 3, result);
}
