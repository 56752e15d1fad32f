// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_11, "an argument too few is an IndexError")
REGISTERED("ffi.ArrayGetItem")
{
  if (num_args < 2) return fail("IndexError", "an argument is missing");
  return ORIGINAL(args, num_args, result);
}
