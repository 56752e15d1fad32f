// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_28, "signals can be checked only after a function was registered")

static int registered;

OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  registered = 1;
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}

OVERRIDE(EnvCheckSignals, void)
{
  if (registered) return REFERENCE(EnvCheckSignals)();
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "there is no interpreter");
  return -1;
}
