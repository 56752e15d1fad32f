// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_31, "signals are checked without the lock")

static int (*check)(void);

OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  if (strcmp(name, "PyErr_CheckSignals") == 0) memcpy(&check, &symbol, sizeof symbol);
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}

OVERRIDE(EnvCheckSignals, void)
{
  return check && check() != 0 ? -1 : 0;
}
