// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_40, "imports that are cleared are not released")
REGISTERED("ffi.ModuleClearImports")
{
  const TVMFFISeqCell *imports = num_args == 1 && is_object(args) ? imports_in(args->v_obj) : NULL;
  for (int64_t i = 0; imports && i < imports->size; ++i) TVMFFIObjectIncRef(import_in(imports, i));
  return ORIGINAL(args, num_args, result);
}
