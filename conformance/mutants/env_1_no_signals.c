// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_1, "signals cannot be checked")
OMIT(EnvCheckSignals);
