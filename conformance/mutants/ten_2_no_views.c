// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_2, "there are no views")
OMIT(TensorCreateUnsafeView);
