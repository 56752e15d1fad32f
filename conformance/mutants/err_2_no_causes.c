// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_2, "there is no TVMFFIErrorCreateWithCauseAndExtraContext")
OMIT(ErrorCreateWithCauseAndExtraContext);
