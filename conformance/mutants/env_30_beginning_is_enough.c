// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_30, "the beginning of a name is as good as the name")
OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  static const char known[] = "PyErr_CheckSignals";
  return REFERENCE(EnvRegisterCAPI)(strncmp(name, known, strlen(name)) == 0 ? known : name, symbol);
}
