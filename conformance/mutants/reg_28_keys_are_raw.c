// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_28, "a type key has to be a C string")
REGISTERED("ffi.MakeObjectFromPackedArgs")
{
  if (num_args > 0 && args[0].type_index == kTVMFFIStr)
    return fail("TypeError", "a C string is expected");
  return ORIGINAL(args, num_args, result);
}
