// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_1, "functions can't be registered by a method description")
OMIT(FunctionSetGlobalFromMethodInfo);
