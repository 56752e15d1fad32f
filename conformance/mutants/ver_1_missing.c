// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(VER_1, "there is no TVMFFIGetVersion")
OMIT(GetVersion);
