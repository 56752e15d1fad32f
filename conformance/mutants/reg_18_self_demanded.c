// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_18, "a callback must have a self")
REGISTERED("ffi.FunctionFromExternC")
{
  if (num_args == 3 && args[0].type_index == kTVMFFINone)
    return fail("TypeError", "self is missing");
  return ORIGINAL(args, num_args, result);
}
