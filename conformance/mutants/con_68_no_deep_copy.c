// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_68, "nothing copies containers in containers")
UNREGISTERED("ffi.DeepCopy");
