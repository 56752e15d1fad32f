// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_11, "arguments that are too many are ignored")
REGISTERED("ffi.MapCount")
{
  return ORIGINAL(args, num_args > 2 ? 2 : num_args, result);
}
