// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_29, "a second argument is ignored")
REGISTERED("ffi.FunctionRemoveGlobal")
{
  return ORIGINAL(args, num_args > 1 ? 1 : num_args, result);
}
