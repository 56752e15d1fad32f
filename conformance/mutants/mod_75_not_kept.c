// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_75, "a module is not kept")
REGISTERED("ffi.ModuleGlobalsAdd")
{
  return 0;
}
