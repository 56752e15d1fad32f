// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_18, "the deleter of a callback is forgotten")
REGISTERED("ffi.FunctionFromExternC")
{
  if (num_args != 3 || args[2].type_index != kTVMFFIOpaquePtr)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], {.type_index = kTVMFFINone}};
  return ORIGINAL(other, 3, result);
}
