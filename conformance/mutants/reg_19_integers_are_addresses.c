// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_19, "an integer is taken for an address")
REGISTERED("ffi.FunctionFromExternC")
{
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], args[2]};
  for (int i = 0; i < 3; ++i)
    if (other[i].type_index == kTVMFFIInt) other[i].type_index = kTVMFFIOpaquePtr;
  return ORIGINAL(other, 3, result);
}
