// SPDX-License-Identifier: Apache-2.0
// What a name of the C API stands for: a function, a type index, a flag or a struct.
#ifndef TVMFFI_CONFORMANCE_CLI_EXPLAIN_NAMES_H_
#define TVMFFI_CONFORMANCE_CLI_EXPLAIN_NAMES_H_

#include <stdbool.h>

// Prints what the tables have on it, and the clauses that name it. False if there is no such name;
// upper and lower case are the same.
bool explain_name(const char *name);

#endif  // TVMFFI_CONFORMANCE_CLI_EXPLAIN_NAMES_H_
