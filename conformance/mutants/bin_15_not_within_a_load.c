// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(BIN_15, "a load within a load is refused")
REGISTERED("ffi.ModuleLoadFromFile")
{
  static _Thread_local int depth;
  if (depth > 0) return fail("RuntimeError", "a load is going on");
  ++depth;
  int status = ORIGINAL(args, num_args, result);
  --depth;
  return status;
}
