// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_18, "behind the end of an array there is None")
REGISTERED("ffi.ArrayGetItem")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIInt ||
      args[1].v_int64 < sequence(&args[0])->size)
    return ORIGINAL(args, num_args, result);
  memset(result, 0, sizeof *result);
  return 0;
}
