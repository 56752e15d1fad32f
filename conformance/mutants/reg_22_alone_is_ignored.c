// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_22, "a name without a value is ignored")
REGISTERED("ffi.MakeObjectFromPackedArgs")
{
  return ORIGINAL(args, num_args % 2 ? num_args : num_args - 1, result);
}
