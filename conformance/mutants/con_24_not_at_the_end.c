// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_24, "nothing can be inserted behind the last element")
REGISTERED("ffi.ListInsert")
{
  if (num_args == 3 && args[0].type_index == kTVMFFIList && sequence(&args[0])->size > 0 &&
      args[1].v_int64 == sequence(&args[0])->size)
    return fail("IndexError", "no such element");
  return ORIGINAL(args, num_args, result);
}
