// SPDX-License-Identifier: Apache-2.0
#include "mutants/python_lock.h"

MUTANT(ENV_31, "the lock is given back without what taking it returned")

OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  keep_python(name, symbol);
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}

OVERRIDE(EnvCheckSignals, void)
{
  if (!has_python()) return REFERENCE(EnvCheckSignals)();
  take_lock();
  int code = check();
  give_lock_back(&code);
  return code == 0 ? 0 : -1;
}
