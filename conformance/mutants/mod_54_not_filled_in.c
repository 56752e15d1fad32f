// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MOD_54, "context symbols are not filled in")
WRAP(void, module_context_fill_symbols, const void *library)
{
  (void)library;
}
