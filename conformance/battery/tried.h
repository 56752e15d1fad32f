// SPDX-License-Identifier: Apache-2.0
// What a case about a function tries, for the report: a line for each combination of arguments, and
// what came of it. No verdict rests on it; expectations are recorded besides.
//
//   tried(TRIED_PROMISED, "x: float64[300, 400], mask: None");
//   make_call(call);
//   tried_came_to(call->returned ? TRIED_REFUSED : TRIED_SERVED);
//   if (expect_same_outcome(call, expected)) tried_came_to(TRIED_RIGHT);
//
// If the call ends the process, that is in the report, too. The report joins the lines of all cases
// of a function, and counts those that are alike: a line says what differs from call to call, no
// more. Only on the main thread of a case; elsewhere, and in copies of the process, nothing is kept.
#ifndef TVMFFI_CONFORMANCE_BATTERY_TRIED_H_
#define TVMFFI_CONFORMANCE_BATTERY_TRIED_H_

#include "run/evidence.h"

// Begins a combination, which the signature speaks of as `promise` says; printf-like, cut to what
// EvidenceTried has room for. A combination before it that came to nothing, and that no
// line would settle, is forgotten.
void tried(TriedPromise promise, const char *format, ...) __attribute__((format(printf, 2, 3)));

// What came of the combination that was begun last. May be said again: the last word counts.
void tried_came_to(TriedEnd end);

// The line of a signature file that would say what has to come of the combination:
// `"where": ["1 <= k <= n"]`. For one that could not be judged. printf-like.
void tried_settled_by(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif  // TVMFFI_CONFORMANCE_BATTERY_TRIED_H_
