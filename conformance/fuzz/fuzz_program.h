// SPDX-License-Identifier: Apache-2.0
// C programs that show a finding without anything of this project: a common part, which is
// repro/call.c, and the calls of one input.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_PROGRAM_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_PROGRAM_H_

#include "fuzz/fuzz.h"

// FuzzSurface.emit: `repro.c` in `folder`, of the surface's program_before and program_body.
bool fuzz_program_write(const FuzzSurface *surface, const FuzzInput *input,
                        const FuzzReport *report, const char *folder, char *error,
                        size_t error_size);

// Defines MEMORY, how many bytes a request may be for, and all that are held together, and writes
// what counts them (repro/memory.c). It is 0, and nothing counts, where the finding is about
// something else.
void fuzz_program_memory(FILE *out, const FuzzReport *report, size_t input_size);

// Writes bytes as a string literal, quotes included.
void fuzz_program_text(FILE *out, const void *bytes, size_t size);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_PROGRAM_H_
