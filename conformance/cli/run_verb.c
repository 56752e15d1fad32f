// SPDX-License-Identifier: Apache-2.0
// `run`: judge one library and say what came of it.
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/complain.h"
#include "cli/outputs.h"
#include "cli/session.h"
#include "cli/style.h"
#include "report/report.h"

typedef struct Watcher {
  FILE *out;
  TextStyle style;
  TextProgress *progress;
} Watcher;

static void on_planned(void *context, const RunReport *report, const Plan *plan)
{
  Watcher *watcher = context;
  if (watcher->style.verbosity < 0) return;
  report_text_head(watcher->out, &watcher->style, report);
  watcher->progress = report_text_progress_new(watcher->out, &watcher->style, plan);
}

static void on_judged(void *context, const CaseResult *result)
{
  Watcher *watcher = context;
  if (watcher->progress) report_text_progress_step(watcher->progress, result);
}

static bool write_reports(const Options *options, const RunReport *report)
{
  bool good = true;
  char error[1024];
  for (size_t i = 0; i < options->report_count; ++i) {
    const char *kind = options->reports[i].kind, *path = options->reports[i].path;
    int status = strcmp(kind, "json") == 0    ? report_json(report, path, error, sizeof error)
                 : strcmp(kind, "junit") == 0 ? report_junit(report, path, error, sizeof error)
                                              : report_tap(report, path, error, sizeof error);
    if (status != 0) complain("%s", error);
    good &= status == 0;
  }
  if (options->write_waivers && !report->not_judged) {
    char today[16];
    time_t now = time(NULL);
    strftime(today, sizeof today, "%Y-%m-%d", gmtime(&now));
    int status = waivers_write(report, options->write_waivers, today, error, sizeof error);
    if (status != 0) complain("%s", error);
    good &= status == 0;
  }
  return good;
}

int verb_run(const Options *options)
{
  Session session;
  Watcher watcher = {.out = outputs_text_stream(options)};
  setlocale(LC_CTYPE, "");
  watcher.style = style_for(watcher.out, options);
  SessionListener listener = {on_planned, on_judged, &watcher};
  if (!outputs_can_be_written(options)) return EXIT_USAGE;
  session_catch_interrupts();
  int code = session_judge(&session, options->operands[0], options, &listener);
  if (watcher.progress) report_text_progress_end(watcher.progress);
  bool judged = code == EXIT_CONFORMS || code == EXIT_DOES_NOT_CONFORM ||
                code == EXIT_INCONCLUSIVE ||
                (code == EXIT_INTERRUPTED && session.report.result_count);
  if (judged) {
    report_text_results(watcher.out, &watcher.style, &session.report);
    if (!write_reports(options, &session.report) && code == EXIT_CONFORMS) code = EXIT_USAGE;
  } else {
    complain("%s", session.error);
    if (session.report.not_judged) write_reports(options, &session.report);
  }
  session_free(&session);
  return code;
}
