// SPDX-License-Identifier: Apache-2.0
// Mutants of what a runtime does with Python's functions: they keep them as they come in.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_PYTHON_LOCK_H_
#define TVMFFI_CONFORMANCE_MUTANTS_PYTHON_LOCK_H_

#include "mutants/mutant.h"

static int (*check)(void);
static void *(*take_lock)(void);
static void (*give_lock_back)(void *);

static inline void keep_python(const char *name, void *symbol)
{
  if (strcmp(name, "PyErr_CheckSignals") == 0) memcpy(&check, &symbol, sizeof symbol);
  if (strcmp(name, "PyGILState_Ensure") == 0) memcpy(&take_lock, &symbol, sizeof symbol);
  if (strcmp(name, "PyGILState_Release") == 0) memcpy(&give_lock_back, &symbol, sizeof symbol);
}

static inline int has_python(void)
{
  return check && take_lock && give_lock_back;
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_PYTHON_LOCK_H_
