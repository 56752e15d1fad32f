// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_2, "the custom allocator can be asked for and not set")
OMIT(SetCustomAllocator);
