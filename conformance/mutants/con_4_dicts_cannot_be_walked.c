// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_4, "ffi.DictForwardIterFunctor is not registered")
UNREGISTERED("ffi.DictForwardIterFunctor");
