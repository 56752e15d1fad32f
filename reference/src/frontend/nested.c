// SPDX-License-Identifier: Apache-2.0
#include "frontend/nested.h"

#include "core/raise.h"

static _Thread_local int depth;

int nested_enter(const char *function)
{
  if (depth >= NESTED_MAX) {
    return raise_error("RecursionError", function, ": calls of types' own functions lie ",
                       raise_number(NESTED_MAX).text, " deep inside each other", NULL);
  }
  ++depth;
  return 0;
}

void nested_leave(void)
{
  --depth;
}
