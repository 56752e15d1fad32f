// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_30, "a name that is not known raises a KeyError")
OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  int status = REFERENCE(EnvRegisterCAPI)(name, symbol);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("KeyError", name);
  return status;
}
