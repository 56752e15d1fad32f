// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_80, "a library whose embedded modules can not be loaded stays open")
REGISTERED("ffi.Module.load_from_file.so")
{
  int status = ORIGINAL(args, num_args, result);

  if (status != 0 && num_args == 2) dlopen(c_text_in(args), RTLD_LAZY | RTLD_LOCAL);
  return status;
}
