// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_12, "whatever a loader of files raises becomes a RuntimeError")
REGISTERED("ffi.ModuleLoadFromFile")
{
  int status = ORIGINAL(args, num_args, result);
  return status == 0 ? 0 : fail("RuntimeError", "the file can not be loaded");
}
