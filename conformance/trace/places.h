// SPDX-License-Identifier: Apache-2.0
// From addresses in traced processes to libraries and functions.
#ifndef TVMFFI_CONFORMANCE_TRACE_PLACES_H_
#define TVMFFI_CONFORMANCE_TRACE_PLACES_H_

#include "trace/trace.h"

typedef struct TracePlaces TracePlaces;

// Returns NULL if memory is out.
TracePlaces *trace_places_new(void);
void trace_places_free(TracePlaces *places);

// What was at `address` in the processes of `image` at the time `clock`. A return address belongs to
// the call before it. Strings live as long as `places`.
TracePlace trace_places_find(TracePlaces *places, const Ring *ring, uint32_t image, uint64_t clock,
                             uint64_t address, bool is_return_address);

#endif  // TVMFFI_CONFORMANCE_TRACE_PLACES_H_
