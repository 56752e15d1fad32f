// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_70, "a function whose metadata can not be had has none")
REGISTERED("ffi.ModuleGetFunctionMetadata")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0 || !is_raised("ConformError")) return status;
  forget_error();
  *result = none_value();
  return 0;
}
