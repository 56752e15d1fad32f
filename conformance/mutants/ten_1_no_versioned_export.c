// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_1, "tensors are exported in the form without a version only")
OMIT(TensorToDLPackVersioned);
