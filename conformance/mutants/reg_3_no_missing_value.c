// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_3, "ffi.GetInvalidObject is not registered")
UNREGISTERED("ffi.GetInvalidObject");
