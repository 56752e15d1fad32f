// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_26, "no name that begins with an underscore is a function")
REGISTERED("ffi.ModuleGetFunction")
{
  if (num_args == 3 && text_in(&args[1]).size && text_in(&args[1]).data[0] == '_') {
    *result = none_value();
    return 0;
  }
  return ORIGINAL(args, num_args, result);
}
