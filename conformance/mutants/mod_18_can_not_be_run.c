// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_18, "a library does not say that it can be run")
REGISTERED("ffi.ModuleGetPropertyMask")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->v_int64 &= ~2;
  return status;
}
