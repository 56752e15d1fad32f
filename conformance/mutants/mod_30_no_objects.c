// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_30, "a name has to be a raw string or a small one")
REGISTERED("ffi.ModuleGetFunction")
{
  if (num_args == 3 && args[1].type_index == kTVMFFIStr)
    return fail("TypeError", "the name is no string");
  return ORIGINAL(args, num_args, result);
}
