// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_38, "a module can be imported only once")
REGISTERED("ffi.ModuleImportModule")
{
  const TVMFFISeqCell *imports = num_args == 2 && is_object(args) ? imports_in(args->v_obj) : NULL;
  for (int64_t i = 0; imports && i < imports->size; ++i)
    if (import_in(imports, i) == args[1].v_obj)
      return fail("RuntimeError", "it is imported already");
  return ORIGINAL(args, num_args, result);
}
