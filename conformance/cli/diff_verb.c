// SPDX-License-Identifier: Apache-2.0
// `diff`: what changed between two reports.
#include <locale.h>
#include <stdio.h>

#include "cli/complain.h"
#include "cli/confined.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/style.h"
#include "report/report_diff.h"

static int refuse(const char *error)
{
  complain("%s", error);
  return EXIT_USAGE;
}

static int tell(const Options *options, const ReportDiff *diff)
{
  char error[1024];
  FILE *out = outputs_text_stream(options);
  TextStyle style = style_for(out, options);
  report_diff_text(out, &style, diff, options->operands[0], options->operands[1]);
  int arrived = out == stdout ? complain_of_output("comparison") : EXIT_CONFORMS;
  if (arrived != EXIT_CONFORMS) return arrived;
  for (size_t i = 0; i < options->report_count; ++i)
    if (report_diff_json(diff, options->reports[i].path, error, sizeof error) != 0)
      return refuse(error);
  return diff->by_kind[DIFF_REGRESSION] ? EXIT_DOES_NOT_CONFORM : EXIT_CONFORMS;
}

static int compare(const Options *options)
{
  char error[1024];
  int code = EXIT_SUITE_FAULT;
  ReportDiff diff = {.changes = NULL};
  confined_note(CONFINED_OTHER, options->operands[0]);
  ReadReport *old = report_read(options->operands[0], error, sizeof error);
  confined_note(CONFINED_OTHER, options->operands[1]);
  ReadReport *new = old ? report_read(options->operands[1], error, sizeof error) : NULL;
  if (!new)
    code = refuse(error);
  else if (!report_diff(old, new, &diff))
    complain("out of memory");
  else
    code = tell(options, &diff);
  report_diff_free(&diff);
  report_read_free(new);
  report_read_free(old);
  return code;
}

int verb_diff(const Options *options)
{
  setlocale(LC_CTYPE, "");
#ifdef WATCHED
  // As for `inspect`.
  if (options->sandbox != SANDBOX_ON) return compare(options);
#endif
  return confined_run(options, compare);
}
