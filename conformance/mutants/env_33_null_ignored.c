// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_33, "a function that was registered cannot be taken away")
OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  if (!symbol && strcmp(name, "PyErr_CheckSignals") == 0) return 0;
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}
