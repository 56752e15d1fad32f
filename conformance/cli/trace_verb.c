// SPDX-License-Identifier: Apache-2.0
// `trace`: a program under the validation layer.
#include <errno.h>
#include <fnmatch.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "clause.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/places.h"
#include "trace/loader.h"
#include "trace/trace.h"
#include "trace/waive.h"

// A shell gives a program that a signal ended this code, more the number of the signal.
enum { BY_SIGNAL = 128 };

static bool matches(const Check *check, const char *glob)
{
  return fnmatch(glob, check->name, 0) == 0 || fnmatch(glob, check->group, 0) == 0 ||
         fnmatch(glob, clause_get(check->clause)->id, FNM_CASEFOLD) == 0;
}

static bool matches_any(const Check *check, const char *const *globs, size_t count)
{
  for (size_t i = 0; i < count; ++i)
    if (matches(check, globs[i])) return true;
  return false;
}

// A glob that matches nothing is a mistake: what it was meant for would be checked, or not, unseen.
static bool all_match(const char *option, const char *const *globs, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    size_t found = 0;
    for (size_t check = 0; check < CHECK_COUNT; ++check) found += matches(&checks[check], globs[i]);
    if (found) continue;
    complain("--%s=%s matches no check, group or clause of a check", option, globs[i]);
    return false;
  }
  return true;
}

// Which checks are made.
static bool choose(const Options *options, TraceRequest *request)
{
  const char *const *only = options->filters, *const *muted = options->excludes;
  size_t only_count = options->selection.filter_count;
  size_t muted_count = options->selection.exclude_count;
  if (!all_match("check", only, only_count) || !all_match("mute", muted, muted_count)) return false;
  for (size_t i = 0; i < CHECK_COUNT; ++i)
    request->enabled[i] = (only_count ? matches_any(&checks[i], only, only_count)
                                      : checks[i].preset <= options->preset) &&
                          !matches_any(&checks[i], muted, muted_count);
  return true;
}

static bool wants_timeline(const Options *options)
{
  static const char *const kinds[] = {"functions", "folded", "chrome"};
  for (size_t i = 0; i < options->report_count; ++i)
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind)
      if (strcmp(options->reports[i].kind, kinds[kind]) == 0) return true;
  return false;
}

static bool make_request(const Options *options, TraceRequest *request)
{
  const Places *where = places();
  if (!where->layer[0] || !where->audit[0] || !where->preload[0]) {
    complain("cannot find the validation layer (install it together with this program)");
    return false;
  }
  *request = (TraceRequest){.program = (char *const *)(uintptr_t)options->operands,
                            .layer = where->layer,
                            .audit = where->audit,
                            .preload = where->preload,
                            .mechanism = options->mechanism,
                            .on_error = options->on_error,
                            .timeline = wants_timeline(options),
                            .keeps_dead = options->preset == PRESET_DEEP,
                            .record = options->record};
  return true;
}

// The kinds of reports, each written by one function.
static const struct {
  const char *kind;
  bool (*write)(FILE *out, const Trace *trace);
} writers[] = {{"json", trace_write_json},
               {"text", trace_write_text},
               {"functions", trace_write_functions},
               {"folded", trace_write_folded},
               {"chrome", trace_write_chrome}};

static bool write_as(const char *kind, FILE *out, const Trace *trace)
{
  for (size_t i = 0; i < sizeof writers / sizeof writers[0]; ++i)
    if (strcmp(writers[i].kind, kind) == 0) return writers[i].write(out, trace);
  return false;
}

// Those that are written as a whole; -1 with a message, 0, or 1: the report is of another kind.
static int save_as(const ReportRequest *report, const Trace *trace)
{
  char error[1024];
  int status = 1;
  if (strcmp(report->kind, "junit") == 0)
    status = trace_save_junit(trace, report->path, error, sizeof error);
  else if (strcmp(report->kind, "sarif") == 0)
    status = trace_save_sarif(trace, report->path, error, sizeof error);
  if (status < 0) complain("%s", error);
  return status;
}

static bool write_report(const ReportRequest *report, const Trace *trace)
{
  int saved = save_as(report, trace);
  if (saved < 1) return saved == 0;
  bool to_stdout = strcmp(report->path, "-") == 0;
  FILE *out = to_stdout ? stdout : fopen(report->path, "w");
  bool good = out && write_as(report->kind, out, trace);
  if (out && !to_stdout && fclose(out) != 0) good = false;
  if (!good)
    complain("cannot write the %s report to %s: %s", report->kind, report->path, strerror(errno));
  return good;
}

static int verdict(const Trace *trace)
{
  if (trace_count(trace).errors) return EXIT_DOES_NOT_CONFORM;
  if (trace->crossings == 0) return EXIT_SUITE_FAULT;
  if (WIFSIGNALED(trace->status)) return BY_SIGNAL + WTERMSIG(trace->status);
  return WEXITSTATUS(trace->status);
}

static void explain_silence(const Trace *trace)
{
  if (trace->crossings > 0) return;
  if (trace->process_count == 0)
    complain(
        "no call was seen: the layer was not loaded (a static or setuid program, or one that "
        "removes LD_PRELOAD and LD_AUDIT from its environment)");
  else if (trace_unwatched(trace))
    complain("no call was seen: what the program started ran without the layer");
  else if (trace->processes[0].way == RING_NO_WAY)
    complain("no call was seen: the loader took no library for LD_AUDIT (try --mechanism=preload)");
  else if (trace->processes[0].unwritable > 0)
    complain("no call was seen: the loader's tables could not be changed");
  else
    complain("no call was seen: the program loaded no TVM FFI runtime, or called nothing of it");
}

static int report(const Options *options, const Trace *trace)
{
  bool good = true;
  signal(SIGXFSZ, SIG_IGN);  // a report that is too large for a limit is told
  if (options->report_count == 0) trace_write_text(stderr, trace);
  for (size_t i = 0; i < options->report_count; ++i)
    good = write_report(&options->reports[i], trace) && good;
  // What can't be written where it was to be is told at least.
  if (!good && options->report_count) trace_write_text(stderr, trace);
  explain_silence(trace);
  if (trace->problem[0]) complain("%s", trace->problem);
  return good && !trace->problem[0] ? verdict(trace) : EXIT_USAGE;
}

static TraceWaivers *read_waivers(const char *path)
{
  char today[16], error[1024];
  time_t now = time(NULL);
  strftime(today, sizeof today, "%Y-%m-%d", gmtime(&now));
  TraceWaivers *waivers = trace_waivers_read(path, today, error, sizeof error);
  if (!waivers) complain("%s", error);
  return waivers;
}

int verb_trace(const Options *options)
{
  TraceRequest request;
  char error[1024];
  setlocale(LC_CTYPE, "");
  if (!outputs_can_be_written(options)) return EXIT_USAGE;
  if (!make_request(options, &request)) return EXIT_SUITE_FAULT;
  if (!choose(options, &request)) return EXIT_USAGE;
  if (!loader_takes_layer(options->operands[0], error, sizeof error)) {
    complain("cannot watch the program: %s", error);
    return EXIT_SUITE_FAULT;
  }
  TraceWaivers *waivers = NULL;
  if (options->waivers && !(waivers = read_waivers(options->waivers))) return EXIT_USAGE;
  request.waivers = waivers;
  Trace *trace = trace_run(&request, error, sizeof error);
  if (!trace) {
    complain("%s", error);
    trace_waivers_free(waivers);
    return EXIT_USAGE;
  }
  if (waivers) trace_waive(trace, waivers);
  trace->limit = options->limit;
  if (options->lines) trace_find_lines(trace);
  int code = report(options, trace);
  trace_free(trace);
  trace_waivers_free(waivers);
  return code;
}
