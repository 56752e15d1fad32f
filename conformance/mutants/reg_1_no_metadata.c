// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_1, "ffi.GetGlobalFuncMetadata is not registered")
UNREGISTERED("ffi.GetGlobalFuncMetadata");
