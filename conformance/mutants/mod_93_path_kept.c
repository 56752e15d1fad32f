// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_93, "what was made of a path that can't be loaded is kept")
REGISTERED("ffi.ModuleLoadFromFile")
{
  int status = ORIGINAL(args, num_args, result);
  void *kept = status != 0 ? malloc(64) : NULL;
  return kept == result ? 0 : status;
}
