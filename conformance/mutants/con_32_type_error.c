// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_32, "a key without a value is a TypeError")
REGISTERED("ffi.Dict")
{
  if (num_args % 2 != 0) return fail("TypeError", "a value is missing");
  return ORIGINAL(args, num_args, result);
}
