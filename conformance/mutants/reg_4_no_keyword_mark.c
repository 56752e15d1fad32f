// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_4, "ffi.GetKwargsObject is not registered")
UNREGISTERED("ffi.GetKwargsObject");
