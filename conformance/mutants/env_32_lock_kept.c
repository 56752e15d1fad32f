// SPDX-License-Identifier: Apache-2.0
#include "mutants/python_lock.h"

MUTANT(ENV_32, "the lock is not given back when there is a signal")

OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  keep_python(name, symbol);
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}

OVERRIDE(EnvCheckSignals, void)
{
  if (!has_python()) return REFERENCE(EnvCheckSignals)();
  void *state = take_lock();
  if (check() != 0) return -1;
  give_lock_back(state);
  return 0;
}
