// SPDX-License-Identifier: Apache-2.0
// How deep functions of this room call code of types, which calls them again, and how deep they call
// themselves where types may have such code. The stack is the program's, so there is an end: an error.
#ifndef REFERENCE_SRC_FRONTEND_NESTED_H_
#define REFERENCE_SRC_FRONTEND_NESTED_H_

#include "core/raise.h"

// How many such calls may lie inside each other in a thread, and how many levels of a value.
enum { NESTED_MAX = 400, NESTED_LEVELS_MAX = 4000 };

// How deep a thread is.
typedef struct {
  int calls, levels;
} Nested;

// Returns how deep this thread is. Borrow: for the life of the thread.
Nested *nested_here(void);

// Goes a call deeper. Returns 0; -1 with RecursionError if that is too deep.
// function: whose work this is, for the error.
int nested_enter(Nested *here, const char *function);

// Comes back.
static inline void nested_leave(Nested *here)
{
  --here->calls;
}

// Raises RecursionError: a value has too many levels. Returns -1.
RAISE_COLD int nested_refuse(const char *function);

// The same for the levels of a value.
static inline int nested_descend(Nested *here, const char *function)
{
  if (here->levels >= NESTED_LEVELS_MAX) return nested_refuse(function);
  ++here->levels;
  return 0;
}

static inline void nested_ascend(Nested *here)
{
  --here->levels;
}

#endif  // REFERENCE_SRC_FRONTEND_NESTED_H_
