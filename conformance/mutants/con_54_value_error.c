// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_54, "what is no bytes is a ValueError")
REGISTERED("ffi.Bytes")
{
  int status = ORIGINAL(args, num_args, result);
  return status == 0 || num_args != 1 ? status : fail("ValueError", "not bytes");
}
