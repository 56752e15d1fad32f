// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(BIN_1, "a load gives the library where the first entry imports it")
REGISTERED("ffi.Module.load_from_file.so")
{
  int status = ORIGINAL(args, num_args, result);

  const TVMFFISeqCell *imports = status == 0 ? imports_in(result->v_obj) : NULL;
  if (!imports) return status;
  void *import = import_in(imports, 0), *root = result->v_obj;
  TVMFFIObjectIncRef(import);
  *result = value_of_object(import);
  TVMFFIObjectDecRef(root);
  return 0;
}
