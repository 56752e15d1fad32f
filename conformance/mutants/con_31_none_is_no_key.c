// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_31, "None cannot be a key")
REGISTERED("ffi.Map")
{
  for (int32_t i = 0; i < num_args; i += 2)
    if (args[i].type_index == kTVMFFINone) return fail("TypeError", "None is no key");
  return ORIGINAL(args, num_args, result);
}
