// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_1, "there is no function for system libraries")
UNREGISTERED("ffi.SystemLib");
