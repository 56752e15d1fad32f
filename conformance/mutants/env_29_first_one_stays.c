// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_29, "a function that is registered again stays what it was")
OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  static int registered;
  if (strcmp(name, "PyErr_CheckSignals") != 0 || !symbol)
    return REFERENCE(EnvRegisterCAPI)(name, symbol);
  return registered++ ? 0 : REFERENCE(EnvRegisterCAPI)(name, symbol);
}
