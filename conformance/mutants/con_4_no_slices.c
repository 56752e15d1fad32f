// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_4, "ffi.ListReplaceSlice is not registered")
UNREGISTERED("ffi.ListReplaceSlice");
