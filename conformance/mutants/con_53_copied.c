// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_53, "a string object is copied, not shared")
REGISTERED("ffi.String")
{
  if (num_args != 1 || args[0].type_index != kTVMFFIStr) return ORIGINAL(args, num_args, result);
  return TVMFFIStringFromByteArray((TVMFFIByteArray *)(args[0].v_obj + 1), result);
}
