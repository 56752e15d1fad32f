// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_71, "metadata may be anything")
REGISTERED("ffi.ModuleGetFunctionMetadata")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0 || num_args != 3 || !is_raised("TypeError")) return status;
  forget_error();
  *result = none_value();
  return 0;
}
