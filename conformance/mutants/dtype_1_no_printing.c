// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_1, "data types can not be printed")
OMIT(DataTypeToString);
