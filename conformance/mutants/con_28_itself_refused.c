// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_28, "a list cannot be put into itself")
REGISTERED("ffi.ListReplaceSlice")
{
  if (num_args == 4 && is_object(&args[3]) && args[0].v_obj == args[3].v_obj)
    return fail("ValueError", "the same list");
  return ORIGINAL(args, num_args, result);
}
