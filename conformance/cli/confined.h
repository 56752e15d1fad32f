// SPDX-License-Identifier: Apache-2.0
// Reads files of strangers in a child that can do little else: read the files that the command
// names, print, and ask this process to write a report. A flaw in a reader is then no more than a
// file that is not read, and the other files are read all the same.
#ifndef TVMFFI_CONFORMANCE_CLI_CONFINED_H_
#define TVMFFI_CONFORMANCE_CLI_CONFINED_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"
#include "sandbox/sandbox.h"

// Does the work in such a child, as --sandbox says, and returns its exit code. Where a reader crashes,
// the work is done again in another child, in which the operand that was being read is lost; where
// that was none, the exit code is EXIT_SUITE_FAULT, after a word about it.
int confined_run(const Options *options, int (*work)(const Options *options));

// Which file is read now, for that word: the operand of this number, or with CONFINED_OTHER something
// else.
#define CONFINED_OTHER SIZE_MAX
void confined_note(size_t operand, const char *path);

// Whether a reader crashed over this operand; `why` says of what.
bool confined_is_lost(size_t operand, char *why, size_t size);

// Between the two, what the operand has to say is printed, unless an earlier child has done so.
void confined_begin_text(size_t operand);
void confined_end_text(size_t operand);

// What this process is confined by; NULL: nothing.
const Sandbox *confined_by(void);

#endif  // TVMFFI_CONFORMANCE_CLI_CONFINED_H_
