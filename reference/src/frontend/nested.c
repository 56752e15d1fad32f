// SPDX-License-Identifier: Apache-2.0
#include "frontend/nested.h"

static _Thread_local Nested nested;

Nested *nested_here(void)
{
  return &nested;
}

int nested_enter(Nested *here, const char *function)
{
  if (here->calls >= NESTED_MAX) {
    return raise_error("RecursionError", function, ": calls of types' own functions lie ",
                       raise_number(NESTED_MAX).text, " deep inside each other", NULL);
  }
  ++here->calls;
  return 0;
}

int nested_refuse(const char *function)
{
  return raise_error("RecursionError", function, ": a value has more than ",
                     raise_number(NESTED_LEVELS_MAX).text, " levels", NULL);
}
