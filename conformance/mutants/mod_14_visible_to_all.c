// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "mutants/mutant.h"

MUTANT(MOD_14, "the symbols of a library become those of the program")
WRAP(void *, dlopen, const char *file, int mode)
{
  return REAL(dlopen)(file, mode | RTLD_GLOBAL);
}
