// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_29, "a function can be registered once")
OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  static int registered;
  if (strcmp(name, "PyErr_CheckSignals") != 0 || !symbol || !registered++)
    return REFERENCE(EnvRegisterCAPI)(name, symbol);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the function is registered already");
  return -1;
}
