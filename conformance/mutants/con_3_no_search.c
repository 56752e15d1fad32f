// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_3, "ffi.ArrayContains is not registered")
UNREGISTERED("ffi.ArrayContains");
