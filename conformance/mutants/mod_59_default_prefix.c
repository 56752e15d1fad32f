// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_59, "without arguments the prefix is default_")
REGISTERED("ffi.SystemLib")
{
  TVMFFIAny prefix = {.type_index = kTVMFFIRawStr, .v_c_str = "default_"};
  return num_args == 0 ? ORIGINAL(&prefix, 1, result) : ORIGINAL(args, num_args, result);
}
