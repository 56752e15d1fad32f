// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include "mutants/mutant.h"

MUTANT(FUN_31, "the answer to a look-up lies in one place for all threads for a moment")

static TVMFFIObjectHandle volatile answer;

OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  TVMFFIObjectHandle found = NULL;
  int status = REFERENCE(FunctionGetGlobal)(name, &found);
  answer = found;
  sched_yield();
  *out = answer;
  return status;
}
