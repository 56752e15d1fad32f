// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_68, "a function without metadata has an empty text")
REGISTERED("ffi.ModuleGetFunctionMetadata")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFINone) result->type_index = kTVMFFISmallStr;
  return status;
}
