// SPDX-License-Identifier: Apache-2.0
// What the program says on stderr when something is wrong.
#ifndef TVMFFI_CONFORMANCE_CLI_COMPLAIN_H_
#define TVMFFI_CONFORMANCE_CLI_COMPLAIN_H_

#include "cli/options.h"

// Prints "tvmffi-conform: " and the text as one or more lines on stderr. Names of files and words
// of libraries may be in it: it is made fit for a terminal.
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

// What was printed on stdout has arrived: EXIT_CONFORMS. EXIT_USAGE after saying that the `what`
// ("list") can't be written.
int complain_of_output(const char *what);

// The same, that there is no `what` called `id`, and which ids of cases and clauses are nearest.
void complain_of_id(const char *what, const char *id);

// The same, that no `what` ("case", "clause") is selected, and why: a text of several lines.
void complain_of_selection(const Options *options, const char *what);

// That text (own; NULL if memory is out).
char *complain_selection_text(const Options *options, const char *what);

#endif  // TVMFFI_CONFORMANCE_CLI_COMPLAIN_H_
