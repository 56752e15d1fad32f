// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_23, "a function that is absent is a RuntimeError")
REGISTERED("ffi.ModuleGetFunction")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || is_object(result)) return status;
  return fail("RuntimeError", "the module has no such function");
}
