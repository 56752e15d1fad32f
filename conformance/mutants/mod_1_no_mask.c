// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_1, "the property mask of a module can not be asked for")
UNREGISTERED("ffi.ModuleGetPropertyMask");
