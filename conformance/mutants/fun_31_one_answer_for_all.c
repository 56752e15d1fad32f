// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/mutant.h"

MUTANT(FUN_31, "the answer to a look-up lies in one place for all threads for a moment")

static TVMFFIObjectHandle volatile answer;

OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  static _Thread_local unsigned calls;
  TVMFFIObjectHandle found = NULL;
  int status = REFERENCE(FunctionGetGlobal)(name, &found);
  answer = found;
  if (++calls % 7 == 0) usleep(20);
  *out = answer;
  return status;
}
