// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_9, "a name that is not registered cannot be removed")
REGISTERED("ffi.FunctionRemoveGlobal")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->v_int64) return status;
  return fail("KeyError", "no such name");
}
