// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MOD_44, "a library is not given its context")
WRAP(void, module_context_set, void *library)
{
  (void)library;
}
