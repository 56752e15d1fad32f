// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_27, "a call that fails gives None")
REGISTERED("ffi.MapGetItem")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) memset(result, 0, sizeof *result);
  return status;
}
