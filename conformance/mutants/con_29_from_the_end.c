// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_29, "negative indices count from the end of a list")
REGISTERED("ffi.ListPop")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIInt ||
      args[1].v_int64 >= 0)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny other[2] = {args[0], args[1]};
  other[1].v_int64 += sequence(&args[0])->size;
  return ORIGINAL(other, 2, result);
}
