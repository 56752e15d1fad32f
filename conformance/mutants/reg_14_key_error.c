// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_14, "asking for the metadata of an unknown name is a KeyError")
REGISTERED("ffi.GetGlobalFuncMetadata")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 1 || args[0].type_index != kTVMFFIRawStr) return status;
  return fail("KeyError", "no such name");
}
