// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_30, "names that are not known are ignored")
OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  if (REFERENCE(EnvRegisterCAPI)(name, symbol) != 0) TVMFFIErrorSetRaised(NULL);
  return 0;
}
