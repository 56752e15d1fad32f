// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_68, "a function without a description has an empty one")
REGISTERED("ffi.ModuleGetFunctionDoc")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFINone) result->type_index = kTVMFFISmallStr;
  return status;
}
