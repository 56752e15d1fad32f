// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_8, "a path without extension is a ValueError")
REGISTERED("ffi.ModuleLoadFromFile")
{
  int status = ORIGINAL(args, num_args, result);

  if (status != 0 && num_args == 1 && !strchr(c_text_in(args), '.'))
    return fail("ValueError", "the path has no extension");
  return status;
}
