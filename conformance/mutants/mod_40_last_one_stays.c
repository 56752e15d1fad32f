// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_40, "the last import is not cleared")
REGISTERED("ffi.ModuleClearImports")
{
  const TVMFFISeqCell *imports = num_args == 1 && is_object(args) ? imports_in(args->v_obj) : NULL;
  void *last = imports ? import_in(imports, imports->size - 1) : NULL;
  if (last) TVMFFIObjectIncRef(last);
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !last) return status;
  TVMFFIAny both[] = {args[0], value_of_object(last)};
  registered_call_by_name("ffi.ModuleImportModule", both, 2, result);
  TVMFFIObjectDecRef(last);
  return 0;
}
