// SPDX-License-Identifier: Apache-2.0
// What changed between two reports. The harness's `compare` runs `diff` for each of many;
// harness/tests/test_diff_verb.py checks the rules over every pair of verdicts.
#ifndef TVMFFI_CONFORMANCE_REPORT_REPORT_DIFF_H_
#define TVMFFI_CONFORMANCE_REPORT_REPORT_DIFF_H_

#include <stdio.h>

#include "report/report.h"
#include "report/report_read.h"

typedef enum DiffKind {
  DIFF_REGRESSION,  // the verdict is worse, or a case that did not run before has one that counts
  DIFF_FIX,         // the verdict is better
  DIFF_NEW,         // ran only now
  DIFF_GONE,        // ran only before
  DIFF_RACING,      // better or worse, of a case whose threads race: timing may be all of it
  DIFF_KINDS
} DiffKind;

// One of the two is NULL if only the other report lists the case.
typedef struct DiffChange {
  DiffKind kind;
  const ReadCase *was, *now;  // borrowed from the reports
} DiffChange;

typedef struct ReportDiff {
  const ReadReport *old, *new;  // borrowed
  DiffChange *changes;          // own; in the order of the cases' ids
  size_t count, by_kind[DIFF_KINDS];
  size_t same;  // cases with the verdict that they had
} ReportDiff;

// Compares two reports, which have to outlive the result. False if memory is out. Free `out` with
// report_diff_free in either case.
bool report_diff(const ReadReport *old, const ReadReport *new, ReportDiff *out);
void report_diff_free(ReportDiff *diff);

// Regressions with what is due and what is seen now, then the others, a line each, those of cases
// that race at the end, then a summary.
// `old_path` and `new_path` are what the reports are called.
void report_diff_text(FILE *out, const TextStyle *style, const ReportDiff *diff,
                      const char *old_path, const char *new_path);

// The same for machines; reports/diff.schema.json says what is in it. 0, or -1 with `error`.
int report_diff_json(const ReportDiff *diff, const char *path, char *error, size_t error_size);

#endif  // TVMFFI_CONFORMANCE_REPORT_REPORT_DIFF_H_
