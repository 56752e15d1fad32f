// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_29, "an index outside a list is a ValueError")
REGISTERED("ffi.ListSetItem")
{
  int status = ORIGINAL(args, num_args, result);
  return status == 0 || num_args != 3 ? status : fail("ValueError", "no such element");
}
