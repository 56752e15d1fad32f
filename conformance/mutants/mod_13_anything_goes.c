// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_13, "what a loader gives is passed on, whatever it is")
REGISTERED("ffi.ModuleLoadFromFile")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0 || num_args != 1 || !is_raised("TypeError")) return status;
  forget_error();
  *result = none_value();
  return 0;
}
