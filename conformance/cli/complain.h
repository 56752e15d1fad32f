// SPDX-License-Identifier: Apache-2.0
// What the program says on stderr when something is wrong.
#ifndef TVMFFI_CONFORMANCE_CLI_COMPLAIN_H_
#define TVMFFI_CONFORMANCE_CLI_COMPLAIN_H_

#include <signal.h>

#include "cli/options.h"
#include "plan/plan.h"

// Prints "tvmffi-conform: " and the text as one or more lines on stderr. Names of files and words
// of libraries may be in it: it is made fit for a terminal.
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

// Nobody reads what is printed on stdout; the program ends by SIGPIPE then, as others do.
enum { EXIT_BROKEN_PIPE = 128 + SIGPIPE };

// Ends this process in that way, whatever was made of the signal here or before.
void end_by_broken_pipe(void);

// What was printed on stdout has arrived: EXIT_CONFORMS. EXIT_BROKEN_PIPE if nobody reads it.
// EXIT_USAGE after saying, the first time, that the `what` ("list") can't be written.
int complain_of_output(const char *what);

// The same, that there is no `what` called `id`, and which ids of cases and clauses are nearest.
void complain_of_id(const char *what, const char *id);

// A text (own) of several lines: which globs of --filter and --exclude match no case, or with
// --clauses no clause, and what is nearest to them. NULL if each matches something, whatever the
// other options leave of it.
// `plan` (may be NULL) has the cases that are bound to functions of a module.
char *complain_of_globs(const Options *options, const Plan *plan);

// A text (own; NULL if memory is out): the other options leave nothing of what is selected.
char *complain_of_nothing(const Options *options);

#endif  // TVMFFI_CONFORMANCE_CLI_COMPLAIN_H_
