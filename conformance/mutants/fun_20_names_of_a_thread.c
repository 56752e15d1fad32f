// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include "mutants/mutant.h"

MUTANT(FUN_20, "a thread finds only what it registered itself")

static pthread_t owner;

OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  owner = pthread_self();
  return REFERENCE(FunctionSetGlobal)(name, f, allow_override);
}

OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  if (pthread_equal(owner, pthread_self())) return REFERENCE(FunctionGetGlobal)(name, out);
  *out = NULL;
  return 0;
}
