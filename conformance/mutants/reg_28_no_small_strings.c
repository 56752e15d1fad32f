// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_28, "a small string is no name")
REGISTERED("ffi.FunctionRemoveGlobal")
{
  if (num_args == 1 && args[0].type_index == kTVMFFISmallStr)
    return fail("TypeError", "a string object is expected");
  return ORIGINAL(args, num_args, result);
}
