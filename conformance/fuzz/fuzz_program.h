// SPDX-License-Identifier: Apache-2.0
// C programs that reproduce a finding and need nothing of this project: a common part, which is
// repro/call.c, and the calls of one input.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_PROGRAM_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_PROGRAM_H_

#include "fuzz/fuzz.h"

// FuzzSurface.program for surfaces with program_body.
void fuzz_program_write(const FuzzSurface *surface, const FuzzInput *input,
                        const FuzzReport *report, FILE *out);

// Defines MEMORY, the limit in bytes for one request and for all memory held at a time, and writes
// the code that counts (repro/memory.c). MEMORY is 0, and nothing is counted, if the finding is not
// about memory. With `refuses` the code is there all the same: it can refuse a request.
void fuzz_program_memory(FILE *out, const FuzzReport *report, size_t input_size, bool refuses);

// Writes bytes as a string literal, quotes included.
void fuzz_program_text(FILE *out, const void *bytes, size_t size);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_PROGRAM_H_
