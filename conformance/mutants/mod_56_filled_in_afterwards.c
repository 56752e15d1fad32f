// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_56, "registering a context symbol fills it in where a library is loaded already")
static void *last;

WRAP(void *, dlopen, const char *file, int mode)
{
  return last = REAL(dlopen)(file, mode);
}

WRAP(int, dlclose, void *handle)
{
  if (handle == last) last = NULL;
  return REAL(dlclose)(handle);
}

OVERRIDE(EnvModRegisterContextSymbol, const char *name, void *symbol)
{
  void **variable = last ? dlsym(last, name) : NULL;
  if (variable) *variable = symbol;
  return REFERENCE(EnvModRegisterContextSymbol)(name, symbol);
}
