// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_1, "there is no TVMFFIHandleDeinitOnce")
OMIT(HandleDeinitOnce);
