// SPDX-License-Identifier: Apache-2.0
// Which generation of the ABI a library is of: what its names say, what its objects say, and what
// follows from the two.
#ifndef TVMFFI_CONFORMANCE_RUN_GENERATION_H_
#define TVMFFI_CONFORMANCE_RUN_GENERATION_H_

#include "abi/abi.h"
#include "inspect/inspect.h"

// The GENERATION_BITs of the generations of which the library exports a name that the
// other did not have.
unsigned generation_of_names(const InspectReport *library);

// Decides by names and objects (GENERATION_BITs), or as `wanted` says ("auto", "0.1", "2025-09").
// Without a wish, a library is refused whose names and objects contradict each other; one that
// exports names of both is what its objects are, unless these are older than the version that it
// reports, and one that gives no sign is of 0.1. A wish is refused that all signs contradict. On
// refusal `why` says what was seen, and what to do; false is returned and `*generation` not
// written.
bool generation_decide(const char *wanted, const InspectReport *library, unsigned objects,
                       AbiGeneration *generation, char *why, size_t why_size);

#endif  // TVMFFI_CONFORMANCE_RUN_GENERATION_H_
