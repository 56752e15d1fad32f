// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_81, "after a load that failed no load succeeds")
REGISTERED("ffi.ModuleLoadFromFile")
{
  static int failed;
  if (failed) return fail("RuntimeError", "a load has failed");
  int status = ORIGINAL(args, num_args, result);
  failed = status != 0;
  return status;
}
