// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_27, "the result is written before the name is found to be unknown")
REGISTERED("ffi.GetGlobalFuncMetadata")
{
  *result = (TVMFFIAny){.type_index = kTVMFFISmallStr};
  return ORIGINAL(args, num_args, result);
}
