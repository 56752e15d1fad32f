// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_18, "a library says that it can be written to a file")
REGISTERED("ffi.ModuleGetPropertyMask")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->v_int64 |= 4;
  return status;
}
