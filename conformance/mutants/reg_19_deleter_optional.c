// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_19, "two arguments are enough to make a function of a callback")
REGISTERED("ffi.FunctionFromExternC")
{
  if (num_args != 2) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], {.type_index = kTVMFFINone}};
  return ORIGINAL(other, 3, result);
}
