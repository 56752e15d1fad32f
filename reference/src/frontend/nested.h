// SPDX-License-Identifier: Apache-2.0
// How deep functions of this room call code of types, which calls them again, and how deep they call
// themselves where types may have such code. The stack is the program's, so there is an end: an error.
#ifndef REFERENCE_SRC_FRONTEND_NESTED_H_
#define REFERENCE_SRC_FRONTEND_NESTED_H_

// How many such calls may lie inside each other in a thread, and how many levels of a value.
enum { NESTED_MAX = 400, NESTED_LEVELS_MAX = 4000 };

// Goes a call deeper. Returns 0; -1 with RecursionError if that is too deep.
// function: whose work this is, for the error.
int nested_enter(const char *function);

// Comes back.
void nested_leave(void);

// The same for the levels of a value.
int nested_descend(const char *function);
void nested_ascend(void);

#endif  // REFERENCE_SRC_FRONTEND_NESTED_H_
