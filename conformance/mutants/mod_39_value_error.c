// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_39, "a circle of imports is a ValueError")
REGISTERED("ffi.ModuleImportModule")
{
  int status = ORIGINAL(args, num_args, result);

  return status && is_raised("RuntimeError") ? fail("ValueError", "a circle") : status;
}
