// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_30, "what comes behind a name is not read")
OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  static const char known[] = "PyErr_CheckSignals";
  return REFERENCE(EnvRegisterCAPI)(strncmp(name, known, sizeof known - 1) == 0 ? known : name,
                                    symbol);
}
