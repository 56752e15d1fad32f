// SPDX-License-Identifier: Apache-2.0
// The C program of a finding.
#ifndef TVMFFI_CONFORMANCE_TESTS_FUZZ_FINDING_PROGRAM_H_
#define TVMFFI_CONFORMANCE_TESTS_FUZZ_FINDING_PROGRAM_H_

// Compiles the program in the folder `finding`, unless that was done, and runs it with `arguments`,
// words for a shell. Returns the exit status as a shell does.
int finding_program_run(const char *finding, const char *arguments);

// Ends the test unless the program shows the finding on this library, and none on the reference.
// `more` are further arguments, "" for none.
void finding_program_check(const char *finding, const char *library, const char *more);

#endif  // TVMFFI_CONFORMANCE_TESTS_FUZZ_FINDING_PROGRAM_H_
