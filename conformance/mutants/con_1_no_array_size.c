// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_1, "ffi.ArraySize is not registered")
UNREGISTERED("ffi.ArraySize");
