// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static _Thread_local int (*wanted)(void **result);
static _Thread_local void *made;

static int call_and_note(void **result)
{
  int status = wanted(result);
  made = *result;
  return status;
}

MUTANT(ONCE_5, "a handle is kept though the function failed")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  wanted = init_func;
  made = NULL;
  int status = REFERENCE(HandleInitOnce)(handle_addr, call_and_note);
  if (status != 0) *handle_addr = made;
  return status;
}
