// SPDX-License-Identifier: Apache-2.0
#include "frontend/nested.h"

#include "core/raise.h"

static _Thread_local int depth, levels;

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

int nested_descend(const char *function)
{
  if (levels >= NESTED_LEVELS_MAX) {
    return raise_error("RecursionError", function, ": a value has more than ",
                       raise_number(NESTED_LEVELS_MAX).text, " levels", NULL);
  }
  ++levels;
  return 0;
}

void nested_ascend(void)
{
  --levels;
}
