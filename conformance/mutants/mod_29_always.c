// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_29, "a module implements everything")
REGISTERED("ffi.ModuleImplementsFunction")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->v_int64 = 1;
  return status;
}
