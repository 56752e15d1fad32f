// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static _Thread_local int (*wanted)(void **result);

static int call_with_rubbish(void **result)
{
  *result = result;
  return wanted(result);
}

MUTANT(ONCE_2, "the result that the function finds is not NULL")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  int (*outer)(void **result) = wanted;
  wanted = init_func;
  int status = REFERENCE(HandleInitOnce)(handle_addr, call_with_rubbish);
  wanted = outer;
  return status;
}
