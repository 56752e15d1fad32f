// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_90, "a load that fails clears the result")
REGISTERED("ffi.ModuleLoadFromFile")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) *result = none_value();
  return status;
}
