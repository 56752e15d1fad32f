// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_1, "columns of attributes can not be looked up")
OMIT(GetTypeAttrColumn);
