// SPDX-License-Identifier: Apache-2.0
// JSON reports read back, and held against each other.
#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_diff.h"
#include "test_report.h"

static char error[1024];

// The report of a run, as the writer writes it. Own.
static char *written(const Sample *sample, size_t *size)
{
  return sample_file(sample, report_json, "diff.json", size);
}

static ReadReport *read_back(const Sample *sample)
{
  size_t size;
  char *text = written(sample, &size);
  ReadReport *report = report_read_text("r.json", text, size, error, sizeof error);
  ck_assert_msg(report != NULL, "%s", error);
  free(text);
  return report;
}

static void expect_refusal(const char *text, size_t size, const char *glob)
{
  error[0] = '\0';
  ck_assert_ptr_null(report_read_text("r.json", text, size, error, sizeof error));
  ck_assert_msg(fnmatch(glob, error, 0) == 0, "not \"%s\": %s", glob, error);
  for (const char *c = error; *c; ++c) ck_assert(*c >= ' ' && *c <= '~');
}

// --- Reading -------------------------------------------------------------------------------------

TEST_GROUP(diff, .timeout = 60);

TEST(what_was_written_is_read)
{
  Sample sample;
  sample_begin_with_every_kind(&sample);
  ReadReport *report = read_back(&sample);
  ck_assert_uint_eq(report->case_count, EVERY_COUNT);
  ck_assert_str_eq(report->library, "libfoo_ffi.so");
  ck_assert_str_eq(report->version, "0.1.9");
  ck_assert_str_eq(report->profile, "runtime");
  ck_assert(!report->partial);
  for (size_t i = 0; i < report->case_count; ++i) {
    const ReadCase *one = &report->cases[i];
    const CaseResult *result = &sample.report.results[one->index];
    ck_assert(i == 0 || strcmp(report->cases[i - 1].id, one->id) < 0);
    ck_assert_str_eq(one->id, result->instance->id);
    ck_assert_int_eq(one->verdict, result->verdict);
    ck_assert_int_eq(one->level, result->instance->level);
    bool counts = result->verdict == VERDICT_XPASS ||
                  (result->instance->level == CLAUSE_MUST &&
                   (result->verdict == VERDICT_FAIL || result->verdict == VERDICT_INCONCLUSIVE));
    ck_assert_int_eq(report_read_counts(one), counts);
  }
  report_read_free(report);
  sample_end(&sample);
}

TEST(a_part_of_the_battery_is_told_apart)
{
  static const char *glob = "any.*";
  for (int part = 0; part < 4; ++part) {
    Sample sample;
    sample_begin(&sample);
    sample_add(&sample, "any", "fine", CLAUSE_MUST);
    if (part == 0) sample.selection.filters = &glob, sample.selection.filter_count = 1;
    if (part == 1) sample.selection.excludes = &glob, sample.selection.exclude_count = 1;
    if (part == 2) sample.selection.shard = 1, sample.selection.shards = 2;
    if (part == 3) sample.selection.level = CLAUSE_MUST;
    sample_judge(&sample);
    ReadReport *report = read_back(&sample);
    ck_assert(report->partial);
    report_read_free(report);
    sample_end(&sample);
  }
}

TEST(of_repetitions_the_worst_counts)
{
  Sample sample;
  size_t size;
  sample_begin(&sample);
  sample.selection.repeat = 3;
  sample_add(&sample, "any", "flaky", CLAUSE_MUST);
  sample_fail(sample_add(&sample, "any", "flaky", CLAUSE_MUST));
  sample_add(&sample, "any", "flaky", CLAUSE_MUST);
  sample_judge(&sample);
  ReadReport *report = read_back(&sample);
  ck_assert_uint_eq(report->case_count, 1);
  ck_assert_int_eq(report->cases[0].verdict, VERDICT_FAIL);
  ck_assert_uint_eq(report->cases[0].index, 1);
  report_read_free(report);
  sample.selection.repeat = 2;
  char *text = written(&sample, &size);
  expect_refusal(text, size,
                 "r.json: cases: any.flaky is listed 3 times, more than the 2 of the run; *");
  free(text);
  sample_end(&sample);
}

TEST(an_interrupted_run_is_refused)
{
  Sample sample;
  size_t size;
  sample_begin(&sample);
  sample_add(&sample, "any", "fine", CLAUSE_MUST);
  sample.report.complete = false;
  sample_judge(&sample);
  char *text = written(&sample, &size);
  expect_refusal(text, size, "r.json: the run is not complete: *(run the whole suite)");
  free(text);
  sample_end(&sample);
}

TEST(a_text_cut_short_is_refused)
{
  Sample sample;
  size_t size;
  sample_begin(&sample);
  sample_fail(sample_add(&sample, "any", "wrong", CLAUSE_MUST));
  sample_judge(&sample);
  char *text = written(&sample, &size);
  char *end = strrchr(text, '}');
  for (size_t cut = 1; cut <= (size_t)(end - text); cut += cut < 600 ? 1 : 1009)
    expect_refusal(text, cut, "r.json:*: the file is truncated (run the suite again*");
  free(text);
  sample_end(&sample);
}

// The first `from` of a sound report replaced.
typedef struct WrongRow {
  const char *from, *to, *expected;
} WrongRow;

static const WrongRow wrong_rows[] = {
    {"tvmffi-conform-report/1", "tvmffi-conform-report/9",
     ": format \"tvmffi-conform-report/9\" is not supported, *"},
    {"tvmffi-conform-report/1", "tvmffi-conform-inspect/1",
     ": is a report of *inspect*--baseline*"},
    {"\"format\"", "\"formal\"", ": is not a report of a run (*"},
    {"{", "[", ":*: not JSON: *"},
    {"{", "", ":2:10: not JSON: *"},
    {"{", "\x1f\x8b", ": is compressed with gzip (*"},
    {"aaaa", "\xff\x61\x61\x61", ":*: not JSON: *"},
    {"\"version\"", "\"name\"", ":*: not JSON: duplicate object key*"},
    {"\"cpus\"", "\"CPUs\"", ":*: environment: lacks \"cpus\" (*"},
    {"\"cpus\"", "\"more\": 1, \"cpus\"", ":*: environment.more: is not a member of a report (*"},
    {"\"profile\": \"runtime\"", "\"profile\": \"both\"",
     ":*: library.profile: must be one of: runtime module none (*"},
    {"\"profile\": \"runtime\"", "\"profile\": \"\"", ":*: library.profile: must be one of*"},
    {"\"jobs\": 2", "\"jobs\": 0", ":*: jobs: must be an integer, 1 or more (*"},
    {"\"jobs\": 2", "\"jobs\": 2.0", ":*: jobs: must be an integer, 1 or more (*"},
    {"\"jobs\": 2", "\"jobs\": null", ":*: jobs: must be an integer, 1 or more (*"},
    {"\"complete\": true", "\"complete\": 1", ":*: complete: must be true or false (*"},
    {"\"exit_code\": 1", "\"exit_code\": 2", ":*: exit_code: must be one of: 0 1 3 5 130 (*"},
    {"\"totals\": {", "\"totals\": [], \"t\": {", ":*: totals: must be an object (*"},
    {"\"filters\": []", "\"filters\": {}", ":*: selection.filters: must be a list (*"},
    {"\"filters\": []", "\"filters\": [\"a\", 1]",
     ":*: selection.filters[[]1]: must be a string (*"},
    {"\"id\": \"LAY-1\"", "\"id\": \"lay-1\"", ":*: clauses[[]0].id: must be a clause id*"},
    {"\"id\": \"LAY-2\"", "\"id\": \"LAY-1\"", ":*: clauses[[]1]: the clause is listed twice; *"},
    {"\"id\": \"VER-1\"", "\"id\": \"VER-1000\"",
     ":*: cases[[]0]: cites VER-1, which is not in the report (*"},
    {"\"any.wrong\"", "\"any\"", ":*: cases[[]0].id: must be a case id*"},
    {"\"any.wrong\"", "\"any..wrong\"", ":*: cases[[]0].id: must be a case id*"},
    {"\"any.wrong\"", "\"any.wro ng\"", ":*: cases[[]0].id: must be a case id*"},
    {"\"any.wrong\"", "\".any\"", ":*: cases[[]0].id: must be a case id*"},
    {"\"verdict\": \"fail\"", "\"verdict\": \"failed\"",
     ":*: cases[[]0].verdict: must be one of: pass fail *"},
    {"\"fail_kind\": \"expectation\"", "\"fail_kind\": null, \"x\": 1",
     ":*: cases[[]0].x: is not a member of a report (*"},
    {"\"verdict\": \"fail\"", "\"verdict\": \"pass\"",
     ":*: cases[[]0]: fail_kind does not match the verdict (*"},
    {"\"verdict\": \"fail\"", "\"verdict\": \"xfail\"",
     ":*: cases[[]0]: the verdict needs a waiver (*"},
    {"\"fail_kind\": \"expectation\"", "\"fail_kind\": \"crash\"",
     ":*: cases[[]0]: crash does not match fail_kind (*"},
    {"\"verdict\": \"fail\",\n      \"fail_kind\": \"expectation\"",
     "\"verdict\": \"pass\",\n      \"fail_kind\": null",
     ":*: cases[[]0]: a pass has neither evidence nor reason (*"},
    {"\"sha256\": \"a", "\"sha256\": \"A", ":*: library.sha256: must be 64 hexadecimal*"},
    {"\"reported_version\": \"0.1.9\"", "\"reported_version\": \"0.1\"",
     ":*: library.reported_version: must be a version*"},
    {"\"sanitizers\": []", "\"sanitizers\": [\"thread\", \"address\", \"thread\"]",
     ":*: library.sanitizers[[]2]: is listed twice (*"},
    {"\"missing\": []", "\"missing\": [\"TVMFFITwo\", \"TVMFFITwo\"]",
     ":*: library.functions.missing[[]1]: is listed twice (*"},
    {"\"shuffle\": null", "\"shuffle\": \"0\"", ":*: selection.shuffle: must be an integer*"},
    {"02:30:00Z", "02:30Z", ":*: started_at: must be a time*"},
    {"02:30:00Z", "02:30:00.Z", ":*: started_at: must be a time*"},
    {"02:30:00Z", "02:30:00.5", ":*: started_at: must be a time*"},
    {"2026-11-21T", "2026-11-2xT", ":*: started_at: must be a time*"},
};
enum { WRONG_ROWS = sizeof wrong_rows / sizeof wrong_rows[0] };

// Own.
static char *replaced(const char *text, const char *from, const char *to)
{
  const char *at = strstr(text, from);
  ck_assert_msg(at != NULL, "no %s in the report", from);
  char *result = NULL;
  ck_assert_int_gt(asprintf(&result, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)), 0);
  return result;
}

TEST(what_is_wrong_is_named_with_its_place, .rows = WRONG_ROWS)
{
  const WrongRow *row = &wrong_rows[_i];
  Sample sample;
  size_t size;
  char glob[256];
  sample_begin(&sample);
  sample_fail(sample_add(&sample, "any", "wrong", CLAUSE_MUST));
  sample_judge(&sample);
  char *text = written(&sample, &size), *wrong = replaced(text, row->from, row->to);
  snprintf(glob, sizeof glob, "r.json%s", row->expected);
  expect_refusal(wrong, strlen(wrong), glob);
  free(wrong);
  free(text);
  sample_end(&sample);
}

// Counted here by hand.
TEST(the_line_is_the_one_in_which_it_stands)
{
  Sample sample;
  size_t size;
  unsigned line = 1;
  char glob[64];
  sample_begin(&sample);
  sample_add(&sample, "any", "fine", CLAUSE_MUST);
  sample_judge(&sample);
  char *text = written(&sample, &size), *wrong = replaced(text, "\"pass\",", "\"past\",");
  for (const char *c = wrong; c < strstr(wrong, "\"past\""); ++c) line += *c == '\n';
  snprintf(glob, sizeof glob, "r.json:%u: cases[[]0].verdict: *", line);
  expect_refusal(wrong, strlen(wrong), glob);
  free(wrong);
  free(text);
  sample_end(&sample);
}

TEST(files_that_cannot_be_read_are_named)
{
  ck_assert_ptr_null(report_read("/nowhere/r.json", error, sizeof error));
  ck_assert_str_eq(error, "/nowhere/r.json: No such file or directory");
  ck_assert_ptr_null(report_read("/", error, sizeof error));
  ck_assert_str_eq(error, "/: Is a directory");
  ck_assert_ptr_null(report_read("/dev/zero", error, sizeof error));
  ck_assert_str_eq(error, "/dev/zero: is larger than 64 MiB (the limit)");
}

// --- Comparing -----------------------------------------------------------------------------------

// A run with one case.
typedef struct Run {
  Verdict verdict;  // of any.one; VERDICT_COUNT: of another case
  ClauseLevel level;
  bool races;
} Run;

static void begin_with(Sample *sample, Run run)
{
  Verdict verdict = run.verdict;
  sample_begin(sample);
  if (verdict == VERDICT_SKIP) {
    sample_add_skipped(sample, "any", "one", "not here");
  } else {
    CaseResult *result =
        sample_add(sample, "any", verdict == VERDICT_COUNT ? "zero" : "one", run.level);
    if (verdict == VERDICT_FAIL || verdict == VERDICT_XFAIL) sample_fail(result);
    if (verdict == VERDICT_XFAIL || verdict == VERDICT_XPASS)
      sample_waive(sample, "any.one", "known");
    if (verdict == VERDICT_INCONCLUSIVE)
      result->outcome = (Outcome){.kind = OUTCOME_LOST, .lost = "no process"};
    result->outcome.races = run.races;
  }
  sample_judge(sample);
  if (verdict != VERDICT_COUNT) ck_assert_int_eq(sample->report.results[0].verdict, verdict);
}

// What becomes of any.one from one run to another: a DiffKind, or DIFF_KINDS for nothing.
static DiffKind kind_between(Run before, Run after)
{
  Sample old_sample, new_sample;
  DiffKind kind = DIFF_KINDS;
  ReportDiff diff;
  begin_with(&old_sample, before);
  begin_with(&new_sample, after);
  ReadReport *old = read_back(&old_sample), *new = read_back(&new_sample);
  ck_assert(report_diff(old, new, &diff));
  size_t total = diff.same;
  for (size_t i = 0; i < diff.count; ++i) {
    const DiffChange *change = &diff.changes[i];
    const ReadCase *shown = change->now ? change->now : change->was;
    if (strcmp(shown->id, "any.one") == 0) kind = change->kind;
  }
  for (int i = 0; i < DIFF_KINDS; ++i) total += diff.by_kind[i];
  ck_assert_uint_eq(total, diff.count + diff.same);
  report_diff_free(&diff);
  report_read_free(old);
  report_read_free(new);
  sample_end(&old_sample);
  sample_end(&new_sample);
  return kind;
}

static DiffKind kind_of(Verdict before, Verdict after, ClauseLevel level)
{
  return kind_between((Run){before, level, false}, (Run){after, level, false});
}

TEST(every_pair_of_verdicts)
{
  // A letter for each: regression, fix, new, gone, timing, or nothing. Rows and columns are in the order of
  // Verdict: pass, fail, skip, inconclusive, xfail, xpass, and not there.
  static const char letters[] = "RFNGT.";
  static const char *const expected[VERDICT_COUNT + 1] = {
      ".RGRRRG", "F.GFFFG", "NR.RNR.", "FRG.F.G", "FRGR.RG", "FRG.F.G", "NR.RNR."};
  for (int before = 0; before <= VERDICT_COUNT; ++before)
    for (int after = 0; after <= VERDICT_COUNT; ++after) {
      char letter = letters[kind_of((Verdict)before, (Verdict)after, CLAUSE_MUST)];
      ck_assert_msg(letter == expected[before][after], "%d -> %d: %c", before, after, letter);
    }
  // A new case that fails does not count if it need not hold.
  ck_assert_int_eq(kind_of(VERDICT_COUNT, VERDICT_FAIL, CLAUSE_SHOULD), DIFF_NEW);
  ck_assert_int_eq(kind_of(VERDICT_SKIP, VERDICT_INCONCLUSIVE, CLAUSE_SHOULD), DIFF_NEW);
  ck_assert_int_eq(kind_of(VERDICT_COUNT, VERDICT_XPASS, CLAUSE_SHOULD), DIFF_REGRESSION);
}

// Which of the two raced does not matter; where a case did not run, timing was not the reason.
TEST(cases_that_race_are_listed_apart, .rows = 3)
{
  const Run calm = {.level = CLAUSE_MUST}, wild = {.level = CLAUSE_MUST, .races = true};
  Run before = _i == 1 ? calm : wild, after = _i == 0 ? calm : wild;
  after.verdict = VERDICT_FAIL;
  ck_assert_int_eq(kind_between(before, after), DIFF_RACING);
  ck_assert_int_eq(kind_between(after, before), DIFF_RACING);
  after.verdict = VERDICT_PASS;
  ck_assert_int_eq(kind_between(before, after), DIFF_KINDS);
  after.verdict = VERDICT_FAIL;
  before.verdict = VERDICT_COUNT;
  ck_assert_int_eq(kind_between(before, after), DIFF_REGRESSION);
  ck_assert_int_eq(kind_between(after, before), DIFF_GONE);
}

// --- Writing -------------------------------------------------------------------------------------

// Own.
static char *told(const ReadReport *old, const ReadReport *new, const TextStyle *style)
{
  ReportDiff diff;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  ck_assert(report_diff(old, new, &diff));
  report_diff_text(out, style, &diff, "old\x1b[2J.json", "new.json");
  ck_assert_int_eq(fclose(out), 0);
  ck_assert(sample_is_clean(text, size, false));
  report_diff_free(&diff);
  return text;
}

static void expect_text(char *text, const char *glob)
{
  ck_assert_msg(fnmatch(glob, text, 0) == 0, "not \"%s\":\n%s", glob, text);
  free(text);
}

TEST(a_regression_is_told_with_its_clause_and_evidence)
{
  Sample old_sample, new_sample;
  TextStyle style = {.utf8 = true, .columns = 100}, quiet = {.verbosity = -1};
  begin_with(&old_sample, (Run){VERDICT_PASS, CLAUSE_MUST, false});
  begin_with(&new_sample, (Run){VERDICT_FAIL, CLAUSE_MUST, false});
  ReadReport *old = read_back(&old_sample), *new = read_back(&new_sample);
  expect_text(
      told(old, new, &style),
      "old   old\\\\x1b[[]2J.json   libfoo_ffi.so 0.1.9, runtime profile, 1 case\n"
      "new   new.json   *\n\nWORSE any.one * MUST  VER-1\n*case          what must*clause        *"
      "before        pass\n*now           fail\n*expected      *actual        *"
      "\n1 regression, 0 fixes, 0 new, 0 gone, 0 unchanged\n");
  expect_text(told(new, old, &style), "*\nBETTER any.one * MUST      fail -> pass\n*, 1 fix, *");
  expect_text(told(old, old, &style),
              "*1 case\n\nstanding unchanged: CONFORMS\n0 regressions, 0 fixes, *, 1 unchanged\n");
  expect_text(
      told(old, new, &quiet),
      "standing changed: CONFORMS -> NOT CONFORMANT\n1 regression, 0 fixes, 0 new, 0 gone, 0 unchanged\n");
  report_read_free(old);
  report_read_free(new);
  sample_end(&old_sample);
  sample_end(&new_sample);
}

TEST(many_new_cases_are_counted_and_named_on_demand)
{
  Sample old_sample, new_sample;
  TextStyle style = {.columns = 100}, verbose = {.columns = 100, .verbosity = 1};
  char names[SAMPLE_CASES_MAX][16];
  begin_with(&old_sample, (Run){VERDICT_PASS, CLAUSE_MUST, false});
  sample_begin(&new_sample);
  for (int i = 0; i < 30; ++i) {
    snprintf(names[i], sizeof names[i], "new-%02d", i);
    sample_add(&new_sample, "any", names[i], CLAUSE_MUST);
  }
  sample_judge(&new_sample);
  ReadReport *old = read_back(&old_sample), *new = read_back(&new_sample);
  char *text = told(old, new, &style);
  ck_assert_uint_eq(sample_count(text, "\nNEW "), 20);
  expect_text(text,
              "*any.new-19 *\n       and 10 more; -v names all\n\nGONE   any.one *30 new, 1 gone*");
  text = told(old, new, &verbose);
  ck_assert_uint_eq(sample_count(text, "\nNEW "), 30);
  free(text);
  report_read_free(old);
  report_read_free(new);
  sample_end(&old_sample);
  sample_end(&new_sample);
}

// How many columns stand before the level of the case, in the line that has it.
static size_t column_of_level(const char *text, const char *label)
{
  const char *line = strstr(text, label), *level = line ? strstr(line, "MUST") : NULL;
  ck_assert_msg(level != NULL, "no %s in:\n%s", label, text);
  for (line = level; line > text && line[-1] != '\n';) --line;
  return (size_t)(level - line);
}

TEST(long_ids_do_not_push_the_columns)
{
  static const char *const names[] = {
      "short", "of-sixty-letters-that-just-fit-into-the-column-of-the-ids-12",
      "of-sixty-one-letters-which-is-one-too-many-for-the-column-123",
      "of-very-many-letters-so-that-nobody-would-want-to-have-it-stand-in-one-line-with-the-rest"};
  Sample old_sample, new_sample;
  TextStyle style = {.columns = 100};
  begin_with(&old_sample, (Run){VERDICT_PASS, CLAUSE_MUST, false});
  sample_begin(&new_sample);
  for (int i = 0; i < 4; ++i) sample_add(&new_sample, "any", names[i], CLAUSE_MUST);
  sample_judge(&new_sample);
  ReadReport *old = read_back(&old_sample), *new = read_back(&new_sample);
  char *text = told(old, new, &style);
  for (int i = 0; i < 4; ++i) ck_assert_uint_eq(column_of_level(text, names[i]), 72);
  expect_text(text, "*column-of-the-ids-12 MUST *for-the-column-123\n  *MUST *any.short  *");
  report_read_free(old);
  report_read_free(new);
  sample_end(&old_sample);
  sample_end(&new_sample);
}

TEST(reports_of_hostile_libraries_steer_no_terminal)
{
  Sample old_sample, new_sample;
  TextStyle style = {.utf8 = true, .columns = 100, .verbosity = 1};
  sample_begin(&old_sample);
  sample_judge(&old_sample);
  sample_begin_hostile(&new_sample);
  ReadReport *old = read_back(&old_sample), *new = read_back(&new_sample);
  expect_text(told(old, new, &style), "*WORSE any.wild*");
  expect_text(told(new, old, &style), "*GONE *any.wild*");
  report_read_free(old);
  report_read_free(new);
  sample_end(&old_sample);
  sample_end(&new_sample);
}

TEST(the_comparison_as_json)
{
  Sample old_sample, new_sample;
  ReportDiff diff;
  json_error_t problem;
  char *path = sample_path("comparison.diff");
  begin_with(&old_sample, (Run){VERDICT_PASS, CLAUSE_MUST, false});
  begin_with(&new_sample, (Run){VERDICT_FAIL, CLAUSE_MUST, false});
  ReadReport *old = read_back(&old_sample), *new = read_back(&new_sample);
  ck_assert(report_diff(old, new, &diff));
  ck_assert_int_eq(report_diff_json(&diff, path, error, sizeof error), 0);
  json_t *root = json_load_file(path, 0, &problem);
  const char *id, *kind, *was, *now, *clause, *format;
  int regressions;
  ck_assert_ptr_nonnull(root);
  ck_assert_int_eq(json_unpack(root, "{s:s, s:{s:i}, s:[{s:s, s:s, s:s, s:s, s:[s]}]}", "format",
                               &format, "counts", "regression", &regressions, "changes", "id", &id,
                               "kind", &kind, "old", &was, "new", &now, "clauses", &clause),
                   0);
  ck_assert_str_eq(format, "tvmffi-conform-diff/1");
  ck_assert_int_eq(regressions, 1);
  ck_assert_str_eq(id, "any.one");
  ck_assert_str_eq(kind, "regression");
  ck_assert_str_eq(was, "pass");
  ck_assert_str_eq(now, "fail");
  ck_assert_str_eq(clause, "VER-1");
  ck_assert_int_eq(report_diff_json(&diff, "/nowhere/d.json", error, sizeof error), -1);
  ck_assert_ptr_nonnull(strstr(error, "/nowhere/d.json"));
  json_decref(root);
  free(path);
  report_diff_free(&diff);
  report_read_free(old);
  report_read_free(new);
  sample_end(&old_sample);
  sample_end(&new_sample);
}
