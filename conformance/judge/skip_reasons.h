// SPDX-License-Identifier: Apache-2.0
// Why cases did not apply: they are counted by reason, but for those that show what the official
// headers do.
#ifndef TVMFFI_CONFORMANCE_JUDGE_SKIP_REASONS_H_
#define TVMFFI_CONFORMANCE_JUDGE_SKIP_REASONS_H_

#include "judge/judge.h"

typedef struct SkipReason {
  const char *text;  // borrowed from the results; not clean
  size_t count;      // of the cases that were skipped for it
  size_t first;      // of them, the first one's place among the results
} SkipReason;

// The reasons of a run (own), in the order in which they come up first; `count` is how many. NULL if
// there are none, or memory is out.
SkipReason *skip_reasons(const RunReport *report, size_t *count);

#endif  // TVMFFI_CONFORMANCE_JUDGE_SKIP_REASONS_H_
