// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_1, "there is no TVMFFIObjectCreateOpaque")
OMIT(ObjectCreateOpaque);
