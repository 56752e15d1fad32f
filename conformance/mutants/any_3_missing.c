// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_3, "there is no TVMFFIAnyViewToOwnedAny")
OMIT(AnyViewToOwnedAny);
