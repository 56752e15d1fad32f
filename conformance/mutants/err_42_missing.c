// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_42, "TVMFFITraceback is not exported")
OMIT(Backtrace);
