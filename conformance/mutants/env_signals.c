// SPDX-License-Identifier: Apache-2.0
// Mutants of signals.
#include "mutants/mutant.h"

// The functions of Python, as they are registered.
static int (*check)(void);
static void *(*take_lock)(void);
static void (*give_lock_back)(void *);

static void keep_python(const char *name, void *symbol)
{
  if (strcmp(name, "PyErr_CheckSignals") == 0) memcpy(&check, &symbol, sizeof symbol);
  if (strcmp(name, "PyGILState_Ensure") == 0) memcpy(&take_lock, &symbol, sizeof symbol);
  if (strcmp(name, "PyGILState_Release") == 0) memcpy(&give_lock_back, &symbol, sizeof symbol);
}

static int has_python(void)
{
  return check && take_lock && give_lock_back;
}

static int registered;

MUTANT(ENV_28, interpreter_demanded, EnvRegisterCAPI,
       "signals can be checked only after a function was registered")
{
  registered = 1;
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}

ALSO(ENV_28, interpreter_demanded, EnvCheckSignals)
{
  if (registered) return REFERENCE(EnvCheckSignals)();
  return fail("RuntimeError", "there is no interpreter");
}

MUTANT(ENV_46, first_one_stays, EnvRegisterCAPI,
       "a function that is registered again stays what it was")
{
  static int times;
  if (strcmp(name, "PyErr_CheckSignals") != 0 || !symbol)
    return REFERENCE(EnvRegisterCAPI)(name, symbol);
  return times++ ? 0 : REFERENCE(EnvRegisterCAPI)(name, symbol);
}

MUTANT(ENV_46, second_one_refused, EnvRegisterCAPI, "a function can be registered once")
{
  static int times;
  if (strcmp(name, "PyErr_CheckSignals") != 0 || !symbol || !times++)
    return REFERENCE(EnvRegisterCAPI)(name, symbol);
  return fail("RuntimeError", "the function is registered already");
}

MUTANT(ENV_29, no_release, EnvRegisterCAPI, "the function that gives the lock back is refused")
{
  if (strcmp(name, "PyGILState_Release") != 0) return REFERENCE(EnvRegisterCAPI)(name, symbol);
  return fail("ValueError", "the name is not known");
}

MUTANT(ENV_30, beginning_is_enough, EnvRegisterCAPI,
       "the beginning of a name is as good as the name")
{
  static const char known[] = "PyErr_CheckSignals";
  return REFERENCE(EnvRegisterCAPI)(strncmp(name, known, strlen(name)) == 0 ? known : name, symbol);
}

MUTANT(ENV_30, key_error, EnvRegisterCAPI, "a name that is not known raises a KeyError")
{
  int status = REFERENCE(EnvRegisterCAPI)(name, symbol);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("KeyError", name);
  return status;
}

MUTANT(ENV_30, rest_is_not_read, EnvRegisterCAPI, "what comes behind a name is not read")
{
  static const char known[] = "PyErr_CheckSignals";
  return REFERENCE(EnvRegisterCAPI)(strncmp(name, known, sizeof known - 1) == 0 ? known : name,
                                    symbol);
}

MUTANT(ENV_30, unknown_names_ignored, EnvRegisterCAPI, "names that are not known are ignored")
{
  if (REFERENCE(EnvRegisterCAPI)(name, symbol) != 0) TVMFFIErrorSetRaised(NULL);
  return 0;
}

MUTANT(ENV_31, state_lost, EnvRegisterCAPI,
       "the lock is given back without what taking it returned")
{
  keep_python(name, symbol);
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}

ALSO(ENV_31, state_lost, EnvCheckSignals)
{
  if (!has_python()) return REFERENCE(EnvCheckSignals)();
  take_lock();
  int code = check();
  give_lock_back(&code);
  return code == 0 ? 0 : -1;
}

static int (*check)(void);

MUTANT(ENV_31, without_the_lock, EnvRegisterCAPI, "signals are checked without the lock")
{
  if (strcmp(name, "PyErr_CheckSignals") == 0) memcpy(&check, &symbol, sizeof symbol);
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}

ALSO(ENV_31, without_the_lock, EnvCheckSignals)
{
  return check && check() != 0 ? -1 : 0;
}

MUTANT(ENV_32, lock_kept, EnvRegisterCAPI, "the lock is not given back when there is a signal")
{
  keep_python(name, symbol);
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}

ALSO(ENV_32, lock_kept, EnvCheckSignals)
{
  if (!has_python()) return REFERENCE(EnvCheckSignals)();
  void *state = take_lock();
  if (check() != 0) return -1;
  give_lock_back(state);
  return 0;
}

MUTANT(ENV_33, null_ignored, EnvRegisterCAPI, "a function that was registered cannot be taken away")
{
  if (!symbol && strcmp(name, "PyErr_CheckSignals") == 0) return 0;
  return REFERENCE(EnvRegisterCAPI)(name, symbol);
}
