// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_39, "only a module that would import itself at once is refused")
REGISTERED("ffi.ModuleImportModule")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0 || !is_raised("RuntimeError") || args[0].v_obj == args[1].v_obj) return status;
  forget_error();
  return 0;
}
