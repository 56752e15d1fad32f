// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_41, "a module borrows what it imports")
REGISTERED("ffi.ModuleImportModule")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectDecRef(args[1].v_obj);
  return status;
}
