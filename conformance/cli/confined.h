// SPDX-License-Identifier: Apache-2.0
// Reads files of strangers in a child that can do little else: read the files that the command
// names, print, and ask this process to write a report. A flaw in a reader is then no more than a
// file that is not read.
#ifndef TVMFFI_CONFORMANCE_CLI_CONFINED_H_
#define TVMFFI_CONFORMANCE_CLI_CONFINED_H_

#include "cli/options.h"

// Does the work in such a child, as --sandbox says, and returns its exit code; that of a child that
// crashed is EXIT_SUITE_FAULT, after a word about it.
int confined_run(const Options *options, int (*work)(const Options *options));

// Which file is read now; for that word.
void confined_note(const char *path);

#endif  // TVMFFI_CONFORMANCE_CLI_CONFINED_H_
