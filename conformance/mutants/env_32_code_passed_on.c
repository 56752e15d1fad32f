// SPDX-License-Identifier: Apache-2.0
#include "mutants/python_lock.h"

MUTANT(ENV_32, "the code of a signal is passed on")

OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  keep_python(name, symbol);
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}

OVERRIDE(EnvCheckSignals, void)
{
  if (!has_python()) return REFERENCE(EnvCheckSignals)();
  void *state = take_lock();
  int code = check();
  give_lock_back(state);
  return code;
}
