// SPDX-License-Identifier: Apache-2.0
// What is wrong with a file, on its way from where it is found to the report.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_PROBLEM_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_PROBLEM_H_

#include <stdbool.h>

#include "inspect/inspect.h"

typedef struct InspectProblem {
  InspectStatus status;  // INSPECT_OK: nothing is wrong
  bool no_memory;        // the inspection itself failed; nothing is known about the file
  char text[288];        // what was wrong; what to do
} InspectProblem;

// Both record the problem and return false, so that a caller can return what they return. The first
// one stays.
__attribute__((format(printf, 3, 4))) bool inspect_problem(InspectProblem *problem,
                                                           InspectStatus status, const char *format,
                                                           ...);
bool inspect_problem_no_memory(InspectProblem *problem);

// Writes "<path>: <text>" as one line without control characters. A path that
// leaves too little room loses its beginning.
void inspect_problem_message(const InspectProblem *problem, const char *path, char *out,
                             size_t capacity);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_PROBLEM_H_
