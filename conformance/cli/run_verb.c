// SPDX-License-Identifier: Apache-2.0
// `run`: judge one library and say what came of it.
#include <errno.h>
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

static int write_report(const ReportRequest *request, const RunReport *report)
{
  char error[1024];
  const char *kind = request->kind, *path = request->path;
  int status = strcmp(kind, "json") == 0    ? report_json(report, path, error, sizeof error)
               : strcmp(kind, "junit") == 0 ? report_junit(report, path, error, sizeof error)
                                            : report_tap(report, path, error, sizeof error);
  if (status == 0) return EXIT_CONFORMS;
  if (errno == EPIPE && strcmp(path, "-") == 0) return EXIT_BROKEN_PIPE;
  complain("%s", error);
  return EXIT_USAGE;
}

static int write_waivers(const Options *options, const RunReport *report)
{
  char today[16], error[1024];
  time_t now = time(NULL);
  strftime(today, sizeof today, "%Y-%m-%d", gmtime(&now));
  if (waivers_write(report, options->write_waivers, today, error, sizeof error) == 0)
    return EXIT_CONFORMS;
  complain("%s", error);
  return EXIT_USAGE;
}

// All of them, whatever comes of one. The exit code of the first that was not written.
static int write_reports(const Options *options, const RunReport *report)
{
  int code = EXIT_CONFORMS;
  for (size_t i = 0; i < options->report_count; ++i) {
    int written = write_report(&options->reports[i], report);
    if (code == EXIT_CONFORMS) code = written;
  }
  if (options->write_waivers && !report->not_judged) {
    int written = write_waivers(options, report);
    if (code == EXIT_CONFORMS) code = written;
  }
  return code;
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
    int written = write_reports(options, &session.report);
    if (code == EXIT_CONFORMS) code = written;
  } else {
    complain("%s", session.error);
    if (session.report.not_judged) write_reports(options, &session.report);
  }
  session_free(&session);
  return code;
}
