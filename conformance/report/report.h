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
  int verbosity;  // -1 what counts, and the verdict; 0 also the summary, and what does not count by
                  // its clauses; 1 every case, with all evidence
  bool only_failed;  // leave out what does not count
  int columns;       // width of the terminal, 100 if unknown
} TextStyle;

// The head line (file, profile, generation, functions, cases, jobs), before anything runs.
void report_text_head(FILE *out, const TextStyle *style, const RunReport *report);

// Progress: a table of chapters, a few to a line, each with the cases that passed and those that were
// run. Elsewhere than on a terminal a chapter is written when it is finished; on one, a line with a bar
// is redrawn for the chapter that runs, and the table takes its place at the end.
typedef struct TextProgress TextProgress;
TextProgress *report_text_progress_new(FILE *out, const TextStyle *style, const Plan *plan);
void report_text_progress_step(TextProgress *progress, const CaseResult *result);
void report_text_progress_end(TextProgress *progress);  // frees it

// The summary, failures with their evidence, warnings, functions of a module, and the verdict.
void report_text_results(FILE *out, const TextStyle *style, const RunReport *report);

// Machine-readable reports. 0 on success, else -1 with `error` saying what was being written,
// where, and why not.
int report_json(const RunReport *report, const char *path, char *error, size_t error_size);
int report_junit(const RunReport *report, const char *path, char *error, size_t error_size);
int report_tap(const RunReport *report, const char *path, char *error, size_t error_size);

#endif  // TVMFFI_CONFORMANCE_REPORT_REPORT_H_
