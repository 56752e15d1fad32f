// SPDX-License-Identifier: Apache-2.0
// What a case may take of the machine's memory, processes and threads: beyond that it is ended, and has no
// verdict.
#ifndef TVMFFI_CONFORMANCE_RUN_EXCESS_H_
#define TVMFFI_CONFORMANCE_RUN_EXCESS_H_

#include <stdbool.h>
#include <stdint.h>

#include "run/children.h"

// Whether a case can have too much of anything. To count what each has takes a millisecond or more; this does
// not. `memory_most` is RunConfig.memory_most.
bool excess_is_possible(uint64_t memory_most);

// Why a case is ended whose processes take this (a constant); NULL if they may.
const char *excess_of(const ChildrenToll *toll, uint64_t memory_most);

#endif  // TVMFFI_CONFORMANCE_RUN_EXCESS_H_
