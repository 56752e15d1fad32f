// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_30, "of many names the earliest are forgotten")

enum { MOST = 2048 };

static TVMFFIObjectHandle kept[MOST];
static int entered;

// Keeps no reference: a function that is still registered is alive.
static int is_kept(TVMFFIObjectHandle function)
{
  for (int i = 0; i < MOST; ++i)
    if (kept[i] == function) return 1;
  return 0;
}

OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status == 0 && !is_kept(f)) kept[entered++ % MOST] = f;
  return status;
}

OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status != 0 || !*out || entered <= MOST || is_kept(*out)) return status;
  TVMFFIObjectDecRef(*out);
  *out = NULL;
  return 0;
}
