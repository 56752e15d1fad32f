// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_72, "the copy of a function is the function")
REGISTERED("ffi.DeepCopy")
{
  if (num_args != 1 || args[0].type_index != kTVMFFIFunction)
    return ORIGINAL(args, num_args, result);
  TVMFFIObjectIncRef(args[0].v_obj);
  *result = args[0];
  return 0;
}
