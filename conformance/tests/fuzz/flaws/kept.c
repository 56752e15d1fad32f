// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MOD_73, "a library stays open when its modules are released")
WRAP(int, dlclose, void *library)
{
  (void)library;
  return 0;
}
