// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_34, "a key that a map lacks is an IndexError")
REGISTERED("ffi.MapGetItem")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 2 || args[0].type_index != kTVMFFIMap) return status;
  return fail("IndexError", "no such key");
}
