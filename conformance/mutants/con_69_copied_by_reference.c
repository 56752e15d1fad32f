// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_69, "the copy of a dict is the dict itself")
REGISTERED("ffi.DeepCopy")
{
  if (num_args != 1 || args[0].type_index != kTVMFFIDict) return ORIGINAL(args, num_args, result);
  TVMFFIObjectIncRef(args[0].v_obj);
  *result = args[0];
  return 0;
}
