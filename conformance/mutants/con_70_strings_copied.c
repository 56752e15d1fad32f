// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_70, "the copy of a string is another string")
REGISTERED("ffi.DeepCopy")
{
  if (num_args != 1 || args[0].type_index != kTVMFFIStr) return ORIGINAL(args, num_args, result);
  return TVMFFIStringFromByteArray((const TVMFFIByteArray *)(args[0].v_obj + 1), result);
}
