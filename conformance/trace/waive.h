// SPDX-License-Identifier: Apache-2.0
// Known findings of a trace: they are shown, and do not fail.
//
// The file is JSON, as that of `run` (judge/waivers.h): {"waivers": [{"check": "argument-padding",
// "library": "core.*.so", "symbol": "call_*", "reason": "...", "url": "...", "expires":
// "2027-01-31"}]}; "library" and "symbol" are globs over the place that is to blame, or over either side
// where that can't be told, and may be left out.
#ifndef TVMFFI_CONFORMANCE_TRACE_WAIVE_H_
#define TVMFFI_CONFORMANCE_TRACE_WAIVE_H_

#include "trace/trace.h"

typedef struct TraceWaivers TraceWaivers;

// Reads a file of waivers. NULL on failure, with `error` saying what is wrong, where, and what is expected:
// a file that can't be read, malformed JSON, an unknown key or check, no reason, an expiry date that is
// malformed or has passed (`today` is "YYYY-MM-DD").
TraceWaivers *trace_waivers_read(const char *path, const char *today, char *error,
                                 size_t error_size);
void trace_waivers_free(TraceWaivers *waivers);

// Whether any of them is about this check.
bool trace_waives_check(const TraceWaivers *waivers, CheckId check);

// Why the finding may be found; NULL: no waiver is about it. Borrowed from the waivers.
const char *trace_waives(const TraceWaivers *waivers, const TraceFinding *finding);

// Waives findings of the trace, which keeps to the waivers from here on.
void trace_waive(Trace *trace, const TraceWaivers *waivers);

#endif  // TVMFFI_CONFORMANCE_TRACE_WAIVE_H_
