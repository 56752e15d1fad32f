// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_30, "the table holds 1024 names")

static int entered;

OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  if (entered == 1024) {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the table of functions is full");
    return -1;
  }
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  entered += status == 0;
  return status;
}
