// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_7, "dso is an extension like any other")
REGISTERED("ffi.ModuleLoadFromFile")
{
  if (num_args == 1 && ends_with(c_text_in(args), ".dso"))
    return fail("RuntimeError", "no loader for dso");
  return ORIGINAL(args, num_args, result);
}
