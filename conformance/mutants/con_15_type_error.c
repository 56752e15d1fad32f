// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_15, "what is no integer of a shape is a TypeError")
REGISTERED("ffi.Shape")
{
  int status = ORIGINAL(args, num_args, result);
  return status == 0 ? 0 : fail("TypeError", "not an integer");
}
