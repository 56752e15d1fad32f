// SPDX-License-Identifier: Apache-2.0
// How deep functions of this room call code of types, which calls them again. The stack is the
// program's, so there is an end: an error.
#ifndef REFERENCE_SRC_FRONTEND_NESTED_H_
#define REFERENCE_SRC_FRONTEND_NESTED_H_

// How many such calls may lie inside each other in a thread.
enum { NESTED_MAX = 400 };

// Goes a call deeper. Returns 0; -1 with RecursionError if that is too deep.
// function: whose work this is, for the error.
int nested_enter(const char *function);

// Comes back.
void nested_leave(void);

#endif  // REFERENCE_SRC_FRONTEND_NESTED_H_
