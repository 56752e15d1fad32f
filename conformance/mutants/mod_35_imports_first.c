// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_35, "imports are asked before the module itself")
REGISTERED("ffi.ModuleGetFunction")
{
  const TVMFFISeqCell *imports = num_args == 3 && is_object(args) ? imports_in(args->v_obj) : NULL;
  for (int64_t i = 0; imports && args[2].v_int64 && i < imports->size; ++i) {
    void *function = function_in(import_in(imports, i), args[1], 1);
    if (!function) continue;
    *result = value_of_object(function);
    return 0;
  }
  return ORIGINAL(args, num_args, result);
}
