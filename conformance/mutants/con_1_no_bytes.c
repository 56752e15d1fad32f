// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_1, "ffi.Bytes is not registered")
UNREGISTERED("ffi.Bytes");
