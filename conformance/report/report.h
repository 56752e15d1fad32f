// SPDX-License-Identifier: Apache-2.0
// Writers of a finished run. They read a RunReport and change nothing.
#ifndef TVMFFI_CONFORMANCE_REPORT_REPORT_H_
#define TVMFFI_CONFORMANCE_REPORT_REPORT_H_

#include <stdbool.h>
#include <stdio.h>

#include "judge/judge.h"

// Look of the text report.
typedef struct TextStyle {
  bool color;     // ANSI colours
  bool utf8;      // block characters and the middle dot; otherwise ASCII
  bool tty;       // progress lines may be rewritten
  int verbosity;  // -1 the summary only; 0 what did not pass; 1 every case, with all evidence
  int columns;    // width of the terminal, 100 if unknown
} TextStyle;

// The head line (file, profile, generation, functions, cases, jobs), before anything runs.
void report_text_head(FILE *out, const TextStyle *style, const RunReport *report);

// Progress. `done` of `total` cases of a chapter are finished, `bad` of them badly. On a terminal
// the line of the chapter is redrawn; elsewhere one line is written when the chapter is finished.
typedef struct TextProgress TextProgress;
TextProgress *report_text_progress_new(FILE *out, const TextStyle *style, const Plan *plan);
void report_text_progress_step(TextProgress *progress, const CaseResult *result);
void report_text_progress_end(TextProgress *progress);  // frees it

// Failures with their evidence, warnings, unexpected passes, then the summary.
void report_text_results(FILE *out, const TextStyle *style, const RunReport *report);

// Machine-readable reports. 0 on success, else -1 with `error` saying what was being written,
// where, and why not.
int report_json(const RunReport *report, const char *path, char *error, size_t error_size);
int report_junit(const RunReport *report, const char *path, char *error, size_t error_size);
int report_tap(const RunReport *report, const char *path, char *error, size_t error_size);

#endif  // TVMFFI_CONFORMANCE_REPORT_REPORT_H_
