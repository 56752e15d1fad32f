// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_29, "small bytes are taken for a name")
REGISTERED("ffi.GetGlobalFuncMetadata")
{
  if (num_args != 1 || args[0].type_index != kTVMFFISmallBytes)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny name = args[0];
  name.type_index = kTVMFFISmallStr;
  return ORIGINAL(&name, 1, result);
}
