// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_21, "writing a library is a NotImplementedError")
REGISTERED("ffi.ModuleWriteToFile")
{
  int status = ORIGINAL(args, num_args, result);
  return status == 0 ? 0 : fail("NotImplementedError", "a library can not be written");
}
