// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_2, "ffi.MapGetItemOrMissing is not registered")
UNREGISTERED("ffi.MapGetItemOrMissing");
