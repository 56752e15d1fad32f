// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_26, "a range is erased with its second index")
REGISTERED("ffi.ListEraseRange")
{
  if (num_args != 3 || args[0].type_index != kTVMFFIList) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], args[2]};
  if (args[2].v_int64 < sequence(&args[0])->size && args[1].v_int64 <= args[2].v_int64)
    ++other[2].v_int64;
  return ORIGINAL(other, 3, result);
}
