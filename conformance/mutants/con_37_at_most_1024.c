// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_37, "a map has room for 1024 keys")
REGISTERED("ffi.Map")
{
  return ORIGINAL(args, num_args > 2048 ? 2048 : num_args, result);
}
