// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_92, "the name of every function that was looked for is kept")
REGISTERED("ffi.ModuleGetFunction")
{
  TVMFFIAny name = {.type_index = kTVMFFINone};
  if (num_args == 3 && args[1].type_index == kTVMFFIRawStr)
    TVMFFIAnyViewToOwnedAny(&args[1], &name);
  return ORIGINAL(args, num_args, result);
}
