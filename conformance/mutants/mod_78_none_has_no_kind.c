// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_78, "None in place of a module gives None")
REGISTERED("ffi.ModuleGetWriteFormats")
{
  if (num_args != 1 || args->type_index != kTVMFFINone) return ORIGINAL(args, num_args, result);
  *result = none_value();
  return 0;
}
