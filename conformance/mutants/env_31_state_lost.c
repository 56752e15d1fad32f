// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_31, "the lock is given back without what taking it returned")

static int (*check)(void);
static void *(*take_lock)(void);
static void (*give_lock_back)(void *);

OVERRIDE(EnvRegisterCAPI, const char *name, void *symbol)
{
  if (strcmp(name, "PyErr_CheckSignals") == 0) memcpy(&check, &symbol, sizeof symbol);
  if (strcmp(name, "PyGILState_Ensure") == 0) memcpy(&take_lock, &symbol, sizeof symbol);
  if (strcmp(name, "PyGILState_Release") == 0) memcpy(&give_lock_back, &symbol, sizeof symbol);
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}

OVERRIDE(EnvCheckSignals, void)
{
  if (!check || !take_lock || !give_lock_back) return REFERENCE(EnvCheckSignals)();
  take_lock();
  int code = check();
  give_lock_back(&code);
  return code == 0 ? 0 : -1;
}
