// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static _Thread_local int (*wanted)(void **result);
static _Thread_local int code;

static int call_and_note(void **result)
{
  code = wanted(result);
  return code;
}

MUTANT(ONCE_7, "a function that leaves NULL has succeeded")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  wanted = init_func;
  code = -1;
  int status = REFERENCE(HandleInitOnce)(handle_addr, call_and_note);
  if (status == 0 || code != 0) return status;
  TVMFFIErrorSetRaised(NULL);
  return 0;
}
