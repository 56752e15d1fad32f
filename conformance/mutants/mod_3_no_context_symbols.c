// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MOD_3, "there is no TVMFFIEnvModRegisterContextSymbol")
OMIT(EnvModRegisterContextSymbol);
