// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_2, "modules that are kept can not be let go")
UNREGISTERED("ffi.ModuleGlobalsRemove");
