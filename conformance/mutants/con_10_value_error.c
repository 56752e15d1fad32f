// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_10, "what is no array is a ValueError")
REGISTERED("ffi.ArraySize")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 1) return status;
  return fail("ValueError", "not an array");
}
