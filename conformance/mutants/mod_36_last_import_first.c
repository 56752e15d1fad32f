// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_36, "the last import is asked first")
REGISTERED("ffi.ModuleGetFunction")
{
  TVMFFIAny own[3];
  if (num_args != 3 || !args[2].v_int64) return ORIGINAL(args, num_args, result);
  memcpy(own, args, sizeof own);
  own[2].v_int64 = 0;
  int status = ORIGINAL(own, 3, result);
  if (status != 0 || is_object(result)) return status;
  const TVMFFISeqCell *imports = imports_in(args->v_obj);
  for (int64_t i = imports ? imports->size : 0; i-- > 0;) {
    void *function = function_in(import_in(imports, i), args[1], 1);
    if (!function) continue;
    *result = value_of_object(function);
    return 0;
  }
  return 0;
}
