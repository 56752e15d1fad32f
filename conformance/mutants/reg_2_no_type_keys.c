// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_2, "ffi.GetRegisteredTypeKeys is not registered")
UNREGISTERED("ffi.GetRegisteredTypeKeys");
