// SPDX-License-Identifier: Apache-2.0
#include "test_report_sample.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

void sample_begin(Sample *sample)
{
  memset(sample, 0, sizeof *sample);
  InspectReport *library = &sample->library;
  library->path = "build/libfoo_ffi.so";
  memset(library->sha256, 'a', 64);
  strcpy(library->build_id, "0123456789abcdef");
  strcpy(library->soname, "libtvm_ffi.so");
  strcpy(library->machine, "x86-64");
  library->profile = INSPECT_PROFILE_RUNTIME;
  for (int i = 0; i < ABI_FUNCTION_COUNT; ++i) library->exports[i] = true;
  library->exports_count = ABI_FUNCTION_COUNT;
  sample->selection.level = CLAUSE_HARDENING;
  sample->set.items = sample->waivers;
  sample->set.path = "waivers.json";
  sample->report = (RunReport){
      .library = library,
      .reported_version = ABI_VERSION(0, 1, 9),
      .generation = "0.1",
      .profile = "runtime",
      .isolation = "fork",
      .jobs = 2,
      .complete = true,
      .started_at = "2026-11-21T02:30:00Z",
      .duration_ns = 900000000,
      .selection = &sample->selection,
      .results = calloc(SAMPLE_CASES_MAX, sizeof(CaseResult)),
  };
}

CaseResult *sample_add(Sample *sample, const char *chapter, const char *name, ClauseLevel level)
{
  size_t index = sample->report.result_count++;
  ck_assert_uint_lt(index, SAMPLE_CASES_MAX);
  Case *test = &sample->tests[index];
  test->chapter = chapter;
  test->ident = name;
  test->title = "what must hold";
  CaseInstance *instance = &sample->instances[index];
  instance->test = test;
  instance->clauses[0] = level == CLAUSE_MUST ? VER_1 : VER_5;
  ck_assert_int_eq(clause_get(instance->clauses[0])->level, level);
  instance->level = level;
  instance->until = UINT32_MAX;
  snprintf(instance->id, sizeof instance->id, "%s.%s", chapter, name);
  CaseResult *result = &sample->report.results[index];
  result->instance = instance;
  result->outcome = (Outcome){
      .kind = OUTCOME_SEALED, .end = EVIDENCE_FINISHED, .held = 3, .duration_ns = 1500000};
  return result;
}

CaseResult *sample_add_skipped(Sample *sample, const char *chapter, const char *name,
                               const char *reason)
{
  CaseResult *result = sample_add(sample, chapter, name, CLAUSE_MUST);
  result->outcome = (Outcome){.kind = OUTCOME_NOT_RUN};
  result->not_applicable = true;
  snprintf(result->reason, sizeof result->reason, "%s", reason);
  return result;
}

Evidence *sample_evidence(CaseResult *result)
{
  if (!result->outcome.evidence) result->outcome.evidence = calloc(1, sizeof(Evidence));
  ck_assert_ptr_nonnull(result->outcome.evidence);
  return result->outcome.evidence;
}

void sample_let_end(CaseResult *result, Ending ending)
{
  static const OutcomeKind kinds[] = {
      [ENDING_PASS] = OUTCOME_SEALED,    [ENDING_FAIL] = OUTCOME_SEALED,
      [ENDING_CRASH] = OUTCOME_CRASHED,  [ENDING_EXIT] = OUTCOME_EXITED,
      [ENDING_HANG] = OUTCOME_TIMED_OUT, [ENDING_LOST] = OUTCOME_LOST,
      [ENDING_UNTOLD] = OUTCOME_SEALED,  [ENDING_SKIP] = OUTCOME_SEALED,
      [ENDING_NOT_RUN] = OUTCOME_NOT_RUN};
  result->outcome.kind = kinds[ending];
  result->outcome.failed = ending == ENDING_FAIL;
  if (ending == ENDING_SKIP) result->outcome.end = EVIDENCE_SKIPPED;
  if (ending == ENDING_UNTOLD) result->outcome.end = EVIDENCE_INCONCLUSIVE;
}

EvidenceFailure *sample_fail(CaseResult *result)
{
  Evidence *evidence = sample_evidence(result);
  size_t index = result->outcome.failed++;
  if (index >= EVIDENCE_FAILURES_MAX) return NULL;
  EvidenceFailure *failure = &evidence->failures[index];
  strcpy(failure->what, "strong count of the object");
  strcpy(failure->expected, "2");
  strcpy(failure->seen, "1");
  strcpy(failure->note, "after the second release");
  strcpy(failure->source, "object.c:42");
  return failure;
}

void sample_waive(Sample *sample, const char *case_id, const char *reason)
{
  ck_assert_uint_lt(sample->set.count, SAMPLE_WAIVERS_MAX);
  sample->waivers[sample->set.count++] =
      (Waiver){.case_id = (char *)case_id, .reason = (char *)reason, .until = UINT32_MAX};
  sample->report.waivers = &sample->set;
}

void sample_judge(Sample *sample)
{
  RunReport *report = &sample->report;
  for (size_t i = 0; i < report->result_count; ++i)
    judge_case(&report->results[i], report->waivers, report->reported_version, 2000000000);
  ck_assert(judge_run(report));
}

bool sample_conforms(const Sample *sample)
{
  return sample->report.verdict.standing <= STANDING_BROKEN_KNOWN;
}

void sample_end(Sample *sample)
{
  judge_free(&sample->report);
}

char *sample_text(const Sample *sample, const TextStyle *style)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  ck_assert_ptr_nonnull(out);
  report_text_results(out, style, &sample->report);
  ck_assert_int_eq(fclose(out), 0);
  return text;
}

char *sample_path(const char *name)
{
  char *path = NULL;
  ck_assert_int_gt(asprintf(&path, "%s/%s", REPORT_TEST_FOLDER, name), 0);
  return path;
}

char *sample_file(const Sample *sample, SampleWriter *writer, const char *name, size_t *size)
{
  char error[256] = "", *path = sample_path(name);
  ck_assert_msg(writer(&sample->report, path, error, sizeof error) == 0, "%s", error);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *text = calloc(1, *size + 1);
  ck_assert_ptr_nonnull(text);
  ck_assert_uint_eq(fread(text, 1, *size, file), *size);
  fclose(file);
  free(path);
  return text;
}

size_t sample_count(const char *text, const char *part)
{
  size_t count = 0;
  for (const char *at = strstr(text, part); at; at = strstr(at + strlen(part), part)) ++count;
  return count;
}
