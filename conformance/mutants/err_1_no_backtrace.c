// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_1, "there is no TVMFFIBacktrace")
OMIT(Backtrace);
