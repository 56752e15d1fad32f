// SPDX-License-Identifier: Apache-2.0
// C programs that show a finding without anything of this project: a common part, which is
// repro/call.c, and the calls of one input.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_PROGRAM_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_PROGRAM_H_

#include "fuzz/fuzz.h"

// Writes the calls: the body of a function without arguments, of lines indented by two blanks.
// What it says with `expect(promise, "words")` is what is found.
typedef void FuzzProgramBody(const FuzzInput *input, unsigned aspect, FILE *out);

// What FuzzSurface.emit does: `repro.c` in `folder`. `before` writes what stands before the
// function, or is NULL.
bool fuzz_program_write(const FuzzInput *input, const FuzzReport *report, const FuzzAspect *aspects,
                        FuzzProgramBody *before, FuzzProgramBody *body, const char *folder,
                        char *error, size_t error_size);

// Writes bytes as a string literal, quotes included.
void fuzz_program_text(FILE *out, const void *bytes, size_t size);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_PROGRAM_H_
