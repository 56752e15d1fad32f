// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_78, "arguments too many are ignored")
REGISTERED("ffi.ModuleGetKind")
{
  return ORIGINAL(args, num_args > 1 ? 1 : num_args, result);
}
