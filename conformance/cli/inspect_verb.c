// SPDX-License-Identifier: Apache-2.0
// `inspect`: what ABI files need, told without running them.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/confined.h"
#include "cli/options.h"
#include "cli/style.h"
#include "inspect/inspect_input.h"
#include "inspect/inspect_policy.h"
#include "report/inspect_baseline.h"
#include "report/inspect_json.h"
#include "report/inspect_policy_write.h"
#include "report/inspect_report.h"
#include "report/text_layout.h"

typedef struct Inspection {
  const Options *options;
  FILE *out;
  TextStyle style;
  InspectSet *set;  // own
  InspectTotals totals;
  int code;                   // the worst so far
  size_t known;               // files of the present operand that have to do with the ABI
  InspectPolicy *policy;      // own, or NULL
  InspectBaseline *baseline;  // own, or NULL
  InspectJson json;
  InspectSarif sarif;
  InspectPolicyDraft draft;
} Inspection;

static void worsen(Inspection *inspection, int code)
{
  if (code > inspection->code) inspection->code = code;
}

static bool wants_report(const Options *options, const char *kind)
{
  for (size_t i = 0; i < options->report_count; ++i) {
    if (strcmp(options->reports[i].kind, kind) == 0) return true;
  }
  return false;
}

static void refuse(Inspection *inspection, const char *name, const char *text)
{
  ++inspection->totals.unreadable;
  worsen(inspection, EXIT_CANNOT_LOAD);
  inspect_text_unreadable(stderr, &inspection->style, name, text);
  if (wants_report(inspection->options, "json")) {
    inspect_json_unreadable(&inspection->json, name, text);
  }
  if (wants_report(inspection->options, "sarif")) {
    inspect_sarif_unreadable(&inspection->sarif, name, text);
  }
}

// What is wrong with the suite itself, memory for one, is no fault of the file.
static void refuse_problem(Inspection *inspection, const char *name, const InspectProblem *problem)
{
  if (problem->no_memory) {
    complain("out of memory");
    worsen(inspection, EXIT_SUITE_FAULT);
  } else {
    refuse(inspection, name, problem->text);
  }
}

static void note_in_reports(Inspection *inspection, const InspectSubject *subject)
{
  const Options *options = inspection->options;
  if (wants_report(options, "json")) inspect_json_file(&inspection->json, subject);
  if (wants_report(options, "sarif")) inspect_sarif_file(&inspection->sarif, subject);
  if (options->write_policy) inspect_policy_draft_file(&inspection->draft, subject);
}

static void take(Inspection *inspection, const InspectSubject *subject)
{
  const InspectFindings *findings = &subject->findings;
  size_t errors = inspect_findings_at(findings, INSPECT_LEVEL_ERROR);
  size_t warnings = inspect_findings_at(findings, INSPECT_LEVEL_WARNING);
  ++inspection->totals.files;
  inspection->totals.errors += errors;
  inspection->totals.warnings += warnings;
  inspection->totals.notes += inspect_findings_at(findings, INSPECT_LEVEL_NOTE);
  inspection->totals.places += inspect_findings_places(findings);
  if (errors > 0 || (inspection->options->strict && warnings > 0)) {
    worsen(inspection, EXIT_DOES_NOT_CONFORM);
  }
  if (inspect_subject_is_known(subject)) {
    ++inspection->known;
  } else {
    ++inspection->totals.unknown;
  }
  inspect_text_file(inspection->out, &inspection->style, subject);
  note_in_reports(inspection, subject);
}

// What the policy and the baseline say of it.
static bool judge(const Inspection *inspection, InspectSubject *subject, InspectProblem *problem)
{
  bool done = !inspection->policy || inspect_policy_apply(inspection->policy, subject);
  if (done && inspection->baseline) done = inspect_baseline_apply(inspection->baseline, subject);
  return done || inspect_problem_no_memory(problem);
}

static void on_image(void *context, const InspectInput *input)
{
  Inspection *inspection = context;
  InspectProblem problem = {0};
  InspectPlace place = {inspection->set, input->package, input->file};
  InspectSubject *subject =
      inspect_subject_read(input->path, input->bytes, input->size,
                           inspection->options->report_count > 0, &place, &problem);
  bool good = subject && (!input->map || inspect_map_is_whole(input->map, &problem)) &&
              judge(inspection, subject, &problem);
  if (good) {
    take(inspection, subject);
  } else {
    refuse_problem(inspection, input->path, &problem);
  }
  inspect_subject_free(subject);
}

static void on_problem(void *context, const char *path, const InspectProblem *problem)
{
  refuse_problem(context, path, problem);
}

static void inspect_path(Inspection *inspection, size_t operand)
{
  const char *path = inspection->options->operands[operand];
  char lost[128];
  const InspectInputVisitor visitor = {inspection, on_image, NULL, on_problem};
  size_t unreadable = inspection->totals.unreadable;
  confined_note(operand, path);
  if (confined_is_lost(operand, lost, sizeof lost)) {
    refuse(inspection, path, lost);
    return;
  }
  inspection->known = 0;
  inspect_input_visit(path, &visitor);
  if (inspection->known > 0 || inspection->totals.unreadable > unreadable) return;
  // A wheel without a library that knows the ABI is as much a mistake as a file that does not.
  complain("%s: does not use the TVM FFI ABI: no symbol of it is exported or imported", path);
  worsen(inspection, EXIT_CANNOT_LOAD);
}

static bool read_rules(Inspection *inspection)
{
  char error[1024] = "";
  const Options *options = inspection->options;
  if (options->policy) {
    confined_note(CONFINED_OTHER, options->policy);
    inspection->policy = inspect_policy_read(options->policy, error, sizeof error);
  }
  if (options->baseline && !error[0]) {
    confined_note(CONFINED_OTHER, options->baseline);
    inspection->baseline = inspect_baseline_read(options->baseline, error, sizeof error);
  }
  if (error[0]) complain("%s", error);
  return !error[0];
}

// A library that is gone is as bad as an export that is.
static void check_baseline_left(Inspection *inspection)
{
  const char *name;
  for (size_t i = 0;
       inspection->baseline && (name = inspect_baseline_left(inspection->baseline, i)); ++i) {
    complain("missing file: %s: the baseline has it", name);
    worsen(inspection, EXIT_DOES_NOT_CONFORM);
  }
}

static bool write_report(const Inspection *inspection, const ReportRequest *request, char *error,
                         size_t error_size)
{
  if (strcmp(request->kind, "json") == 0) {
    return inspect_json_write(&inspection->json, &inspection->totals, inspection->code,
                              request->path, error, error_size) == 0;
  }
  return inspect_sarif_write(&inspection->sarif, inspection->code, request->path, error,
                             error_size) == 0;
}

static void write_files(Inspection *inspection)
{
  char error[1024] = "";
  const Options *options = inspection->options;
  bool good = true;
  for (size_t i = 0; i < options->report_count && good; ++i) {
    good = write_report(inspection, &options->reports[i], error, sizeof error);
  }
  if (good && options->write_policy) {
    good = inspect_policy_draft_write(&inspection->draft, options->write_policy, error,
                                      sizeof error) == 0;
  }
  if (good) return;
  complain("%s", error);
  if (inspection->code < EXIT_USAGE) inspection->code = EXIT_USAGE;
}

// What the files export is known before the first of them is judged.
static void gather(Inspection *inspection)
{
  const Options *options = inspection->options;
  bool good = inspection->set != NULL;
  for (size_t i = 0; i < options->operand_count && good; ++i) {
    char lost[128];
    confined_note(i, options->operands[i]);
    if (!confined_is_lost(i, lost, sizeof lost))
      good = inspect_input_gather(options->operands[i], inspection->set);
  }
  if (good) return;
  complain("out of memory");
  worsen(inspection, EXIT_SUITE_FAULT);
}

static void inspect_all(Inspection *inspection)
{
  const Options *options = inspection->options;
  gather(inspection);
  for (size_t i = 0; i < options->operand_count && inspection->set; ++i) {
    confined_begin_text(i);
    inspect_path(inspection, i);
    confined_end_text(i);
  }
  confined_note(CONFINED_OTHER, "what was found");
  check_baseline_left(inspection);
  inspect_text_totals(inspection->out, &inspection->style, &inspection->totals);
  write_files(inspection);
}

static int inspect(const Options *options)
{
  Inspection inspection = {.options = options, .out = stdout, .set = inspect_set_new()};
  for (size_t i = 0; i < options->report_count; ++i) {
    if (strcmp(options->reports[i].path, "-") == 0) inspection.out = stderr;
  }
  if (options->write_policy && strcmp(options->write_policy, "-") == 0) inspection.out = stderr;
  inspection.style = style_for(inspection.out, options);
  inspect_json_begin(&inspection.json);
  inspect_sarif_begin(&inspection.sarif);
  inspect_policy_draft_begin(&inspection.draft);
  inspection.json.sandbox = inspection.sarif.sandbox = confined_by();
  if (read_rules(&inspection)) {
    inspect_all(&inspection);
  } else {
    inspection.code = EXIT_USAGE;
  }
  inspect_json_end(&inspection.json);
  inspect_sarif_end(&inspection.sarif);
  inspect_policy_draft_end(&inspection.draft);
  inspect_set_free(inspection.set);
  inspect_policy_free(inspection.policy);
  inspect_baseline_free(inspection.baseline);
  return inspection.code;
}

int verb_inspect(const Options *options)
{
  setlocale(LC_CTYPE, "");
#ifdef WATCHED
  // A sanitizer looks for leaks when a process ends, and coverage is written then.
  if (options->sandbox != SANDBOX_ON) return inspect(options);
#endif
  return confined_run(options, inspect);
}
