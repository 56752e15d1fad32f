// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "mutants/mutant.h"

MUTANT(MOD_15, "a library that lacks a function is not loaded")
WRAP(void *, dlopen, const char *file, int mode)
{
  return REAL(dlopen)(file, (mode & ~RTLD_LAZY) | RTLD_NOW);
}
