// SPDX-License-Identifier: Apache-2.0
#include "flaw.h"
#include "report/report_diff.h"

static void swap_cases(ReadReport *report)
{
  ReadCase first = report->cases[0];
  report->cases[0] = report->cases[report->case_count - 1];
  report->cases[report->case_count - 1] = first;
}

WRAP(ReadReport *, report_read_text, const char *path, const char *text, size_t size, char *error,
     size_t error_size)
{
  ReadReport *report = REAL(report_read_text)(path, text, size, error, error_size);
  if (report == NULL && flaw("no-reason")) error[0] = '\0';
  if (report == NULL && flaw("reason-of-two-lines")) strcpy(error, FLAW_TEXT);
  if (report != NULL && flaw("reason-without-cause")) strcpy(error, "cut short");
  if (report != NULL && report->case_count > 1 && flaw("cases-unordered")) swap_cases(report);
  if (report != NULL && report->case_count != 0 && flaw("another-id")) report->cases[0].id = "-";
  return report;
}

// The second comparison of two is wrong: there and back contradict each other.
WRAP(bool, report_diff, const ReadReport *old, const ReadReport *new, ReportDiff *out)
{
  static bool back;
  bool made = REAL(report_diff)(old, new, out);
  if (back && flaw("same-differs")) ++out->same;
  if (back && flaw("fix-invented")) ++out->by_kind[DIFF_FIX];
  if (!back && flaw("regression-missed")) out->by_kind[DIFF_REGRESSION] = 0;
  if (!back && flaw("fix-of-a-fix")) ++out->by_kind[DIFF_FIX];
  if (back && flaw("change-lost") && out->count != 0) --out->count;
  back = !back;
  return made && !flaw("not-compared");
}

WRAP(void, report_diff_text, FILE *out, const TextStyle *style, const ReportDiff *diff,
     const char *old_path, const char *new_path)
{
  REAL(report_diff_text)(out, style, diff, old_path, new_path);
  if (flaw("steered")) fputs(FLAW_TEXT, out);
}
