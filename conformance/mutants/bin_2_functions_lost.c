// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(BIN_2, "a library that imports modules has no functions of its own")
REGISTERED("ffi.ModuleGetFunction")
{
  if (num_args == 3 && is_object(args) && !args[2].v_int64 && imports_in(args->v_obj)) {
    *result = none_value();
    return 0;
  }
  return ORIGINAL(args, num_args, result);
}
