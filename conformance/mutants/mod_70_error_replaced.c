// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_70, "whatever a description raises becomes a RuntimeError")
REGISTERED("ffi.ModuleGetFunctionDoc")
{
  int status = ORIGINAL(args, num_args, result);

  return status == 0 ? 0 : fail("RuntimeError", "there is no description");
}
