// SPDX-License-Identifier: Apache-2.0
// The timeline of a trace.
#ifndef TVMFFI_CONFORMANCE_TRACE_EVENTS_H_
#define TVMFFI_CONFORMANCE_TRACE_EVENTS_H_

#include "trace/places.h"

// Reads the events of a ring. False if memory is out.
bool events_read(const Ring *ring, TracePlaces *places, Trace *trace);

#endif  // TVMFFI_CONFORMANCE_TRACE_EVENTS_H_
