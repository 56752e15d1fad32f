// SPDX-License-Identifier: Apache-2.0
// The JSON report, read back. What is written here is validated against reports/report.schema.json
// by another test.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "test_report.h"

static json_t *write_and_parse(const Sample *sample, const char *name)
{
  size_t size;
  json_error_t problem;
  char *text = sample_file(sample, report_json, name, &size);
  ck_assert_uint_eq(strlen(text), size);
  ck_assert_int_eq(text[size - 1], '\n');
  ck_assert(sample_is_clean(text, size, false));
  json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
  ck_assert_msg(root != NULL, "line %d: %s", problem.line, problem.text);
  free(text);
  return root;
}

// The value at "library.functions.present" or "cases.1.verdict". Borrowed.
static json_t *at(json_t *value, const char *path)
{
  char step[64];
  while (*path) {
    size_t length = strcspn(path, ".");
    snprintf(step, sizeof step, "%.*s", (int)length, path);
    value = json_is_array(value) ? json_array_get(value, (size_t)atoi(step))
                                 : json_object_get(value, step);
    ck_assert_msg(value != NULL, "nothing at %s", path);
    path += length + (path[length] == '.');
  }
  return value;
}

#define expect_text(root, path, text) ck_assert_str_eq(json_string_value(at(root, path)), text)
#define expect_number(root, path, number) \
  ck_assert_int_eq(json_integer_value(at(root, path)), number)
#define expect_null(root, path) ck_assert(json_is_null(at(root, path)))

TEST(head)
{
  Sample sample;
  sample_begin_with_every_kind(&sample);
  json_t *root = write_and_parse(&sample, "every.json");
  expect_text(root, "format", "tvmffi-conform-report/1");
  expect_text(root, "suite.name", "tvmffi-conform");
  ck_assert_uint_eq(json_string_length(at(root, "suite.clauses_digest")), 16);
  expect_text(root, "library.name", "libfoo_ffi.so");
  expect_text(root, "library.build_id", "0123456789abcdef");
  expect_text(root, "library.soname", "libtvm_ffi.so");
  expect_text(root, "library.reported_version", "0.1.9");
  expect_number(root, "library.functions.known", 46);
  expect_number(root, "library.functions.present", 46);
  ck_assert_uint_eq(json_array_size(at(root, "library.functions.missing")), 0);
  expect_text(root, "environment.os", "Linux");
  expect_text(root, "selection.level", "HARDENING");
  expect_null(root, "selection.shard");
  expect_null(root, "selection.shuffle");
  expect_text(root, "started_at", "2026-11-21T02:30:00Z");
  expect_number(root, "duration_us", 900000);
  expect_number(root, "exit_code", 1);
  ck_assert(json_is_true(at(root, "complete")));
  ck_assert(json_is_false(at(root, "conforms")));
  json_decref(root);
  sample_end(&sample);
}

TEST(cases)
{
  Sample sample;
  sample_begin_with_every_kind(&sample);
  json_t *root = write_and_parse(&sample, "every.json"), *list = at(root, "cases");
  ck_assert_uint_eq(json_array_size(list), EVERY_COUNT);
  static const struct {
    const char *verdict, *fail_kind;
    bool counts;
  } expected[EVERY_COUNT] = {
      [EVERY_PASS] = {"pass", NULL},
      [EVERY_FAIL] = {"fail", "expectation", true},
      [EVERY_CRASH] = {"fail", "crash", true},
      [EVERY_EXIT] = {"fail", "exit", true},
      [EVERY_HANG] = {"fail", "timeout", true},
      [EVERY_VOID] = {"inconclusive", NULL, true},
      [EVERY_WARNING] = {"fail", "expectation"},
      [EVERY_WAIVED] = {"xfail", "expectation"},
      [EVERY_XPASS] = {"xpass", NULL, true},
      [EVERY_SKIP] = {"skip", NULL},
      [EVERY_NOT_RUN] = {"inconclusive", NULL, true},
  };
  for (size_t i = 0; i < EVERY_COUNT; ++i) {
    json_t *one = json_array_get(list, i);
    expect_text(one, "id", sample.report.results[i].instance->id);
    expect_text(one, "verdict", expected[i].verdict);
    const char *kind = json_string_value(at(one, "fail_kind"));
    ck_assert_pstr_eq(kind, expected[i].fail_kind);
    ck_assert_int_eq(json_is_true(json_object_get(one, "counts")), expected[i].counts);
    expect_text(one, "level", i == EVERY_WARNING ? "SHOULD" : "MUST");
    expect_text(one, "clauses.0", i == EVERY_WARNING ? "VER-5" : "VER-1");
  }
  expect_number(list, "0.duration_us", 1500);
  expect_number(list, "0.expectations.held", 3);
  expect_text(list, "9.reason", "added in version 0.1.12");
  expect_text(list, "10.reason", "the run ended before this case");
  json_decref(root);
  sample_end(&sample);
}

TEST(evidence)
{
  Sample sample;
  sample_begin_with_every_kind(&sample);
  json_t *root = write_and_parse(&sample, "every.json"), *list = at(root, "cases");
  expect_text(list, "1.evidence.0.what", "strong count of the object");
  expect_text(list, "1.evidence.0.expected", "2");
  expect_text(list, "1.evidence.0.seen", "1");
  expect_text(list, "1.evidence.0.note", "after the second release");
  expect_text(list, "1.evidence.0.source", "object.c:42");
  expect_text(list, "1.evidence.0.expected_bytes", "0b0000000300000061626300000000..");
  expect_text(list, "1.evidence.0.seen_bytes", "0b0000000301000061626300cd0000..");
  expect_null(list, "6.evidence.0.seen_bytes");
  expect_text(list, "2.crash.signal", "SIGSEGV");
  expect_text(list, "2.crash.address", "0x8");
  expect_text(list, "2.crash.where", "TVMFFIAnyViewToOwnedAny+0x1c");
  expect_null(list, "2.crash.fence");
  expect_text(list, "2.output.text", "first line\nsecond line\n");
  expect_number(list, "2.output.bytes", 23);
  expect_text(list, "7.waiver.reason", "a deviation that is known");
  expect_text(list, "7.waiver.url", "https://example.org/1");
  expect_text(list, "7.waiver.expires", "2027-01-31");
  expect_null(list, "8.waiver.url");
  expect_null(list, "0.waiver");
  json_decref(root);
  sample_end(&sample);
}

TEST(totals_and_clauses)
{
  Sample sample;
  sample_begin_with_every_kind(&sample);
  json_t *root = write_and_parse(&sample, "every.json"), *totals = at(root, "totals");
  static const struct {
    const char *name;
    int count;
  } expected[] = {{"cases", 11},
                  {"run", 9},
                  {"not_run", 1},
                  {"pass", 1},
                  {"fail", 5},
                  {"skip", 1},
                  {"xfail", 1},
                  {"xpass", 1},
                  {"crashed", 1},
                  {"timed_out", 1},
                  {"warnings", 1},
                  {"exited", 1},
                  {"inconclusive", 2},
                  {"skip_reasons", 1},
                  {"must_clauses.judged", 1},
                  {"must_clauses.holds", 0},
                  {"should_clauses.judged", 1}};
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i)
    ck_assert_msg(json_integer_value(at(totals, expected[i].name)) == expected[i].count, "%s",
                  expected[i].name);
  json_t *clauses = at(root, "clauses"), *clause;
  size_t index, broken = 0, not_judged = 0;
  json_array_foreach(clauses, index, clause)
  {
    const char *standing = json_string_value(at(clause, "standing"));
    const char *id = json_string_value(at(clause, "id"));
    const Clause *in_force = clause_find(id);
    ck_assert_ptr_nonnull(in_force);
    ck_assert_str_eq(json_string_value(at(clause, "title")), in_force->title);
    ck_assert_str_eq(json_string_value(at(clause, "text")), in_force->text);
    ck_assert_str_eq(json_string_value(at(clause, "since")), in_force->since);
    bool is_broken = strcmp(standing, "broken") == 0;
    ck_assert_msg(!is_broken || strcmp(id, "VER-1") == 0 || strcmp(id, "VER-5") == 0, "%s", id);
    broken += is_broken;
    not_judged += strcmp(standing, "not_judged") == 0;
  }
  ck_assert_uint_eq(broken, 2);
  ck_assert_uint_eq(not_judged, json_array_size(clauses) - 2);
  json_decref(root);
  sample_end(&sample);
}

TEST(what_was_selected)
{
  Sample sample;
  sample_begin(&sample);
  sample_add(&sample, "any", "fine", CLAUSE_MUST);
  const char *filters[] = {"any.*", "OBJ-*"}, *excludes[] = {"any.own\x1b*"};
  sample.selection = (Selection){.filters = filters,
                                 .filter_count = 2,
                                 .excludes = excludes,
                                 .exclude_count = 1,
                                 .level = CLAUSE_MUST,
                                 .shard = 2,
                                 .shards = 3,
                                 .shuffle = UINT64_MAX,
                                 .repeat = 4};
  sample.report.gate.level = CLAUSE_SHOULD;
  sample.library.exports[FN_ObjectDecRef] = false;
  sample.library.sanitizers = INSPECT_ADDRESS_SANITIZER | INSPECT_UNDEFINED_SANITIZER;
  sample.report.reported_version = UINT32_MAX;
  strcpy(sample.library.build_id, "");
  sample_judge(&sample);
  json_t *root = write_and_parse(&sample, "selected.json");
  expect_text(root, "selection.filters.1", "OBJ-*");
  expect_text(root, "selection.excludes.0", "any.own\\x1b*");
  expect_text(root, "selection.level", "MUST");
  expect_number(root, "selection.shard.index", 2);
  expect_number(root, "selection.shard.count", 3);
  expect_text(root, "selection.shuffle", "18446744073709551615");
  expect_number(root, "selection.repeat", 4);
  ck_assert(json_is_true(at(root, "selection.strict")));
  ck_assert(json_is_true(at(root, "conforms")));
  expect_number(root, "exit_code", 0);
  expect_text(root, "library.functions.missing.0", "TVMFFIObjectDecRef");
  expect_number(root, "library.functions.present", ABI_FUNCTION_COUNT - 1);
  expect_text(root, "library.sanitizers.0", "address");
  expect_text(root, "library.sanitizers.1", "undefined");
  expect_null(root, "library.reported_version");
  expect_null(root, "library.build_id");
  json_decref(root);
  sample_end(&sample);
}

TEST(an_interrupted_module)
{
  Sample sample;
  sample_begin(&sample);
  sample.library.profile = INSPECT_PROFILE_MODULE;
  sample.report.profile = "module";
  sample.report.generation = "2025-09";
  sample.report.isolation = "exec";
  sample.report.complete = false;
  sample.report.interrupted = true;
  sample.report.selection = NULL;
  sample_judge(&sample);
  json_t *root = write_and_parse(&sample, "interrupted.json");
  ck_assert(json_is_false(at(root, "complete")));
  expect_number(root, "exit_code", 130);
  expect_null(root, "library.functions");
  ck_assert_uint_eq(json_array_size(at(root, "cases")), 0);
  json_decref(root);
  sample_end(&sample);
}

TEST(hostile)
{
  Sample sample;
  sample_begin_hostile(&sample);
  json_t *root = write_and_parse(&sample, "hostile.json");
  expect_number(root, "cases.0.output.bytes", 10 * 1000 * 1000);
  ck_assert_uint_le(json_string_length(at(root, "cases.0.output.text")), 4 * 64 * 1024);
  ck_assert_uint_eq(json_array_size(at(root, "cases.0.evidence")), EVIDENCE_FAILURES_MAX);
  ck_assert_uint_eq(json_string_length(at(root, "cases.0.evidence.7.what")), 4 * 160);
  expect_number(root, "cases.2.expectations.failed", 4);
  ck_assert_uint_eq(json_array_size(at(root, "cases.2.evidence")), 0);
  json_decref(root);
  sample_end(&sample);
}

// Addresses differ from run to run; a report must not.
TEST(addresses_are_left_out)
{
  Sample sample;
  sample_begin(&sample);
  EvidenceFailure *failure = sample_fail(sample_add(&sample, "any", "object", CLAUSE_MUST));
  failure->has_bytes = true;
  memcpy(failure->expected_bytes, "\x41\0\0\0\0\0\0\0\x10\x20\x30\x40\x50\x7f\0\0",
         16);  // a string object
  memcpy(failure->seen_bytes, "\4\0\0\0\0\0\0\0\x10\x20\x30\x40\x50\x7f\0\0",
         16);  // a pointer the case chose
  failure = sample_fail(&sample.report.results[0]);
  failure->has_bytes = true;
  memcpy(failure->expected_bytes, "\x41\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
         16);  // NULL is NULL everywhere
  memcpy(failure->seen_bytes, "\x08\0\0\0\0\0\0\0\x10\x20\x30\x40\x50\x7f\0\0", 16);
  CaseResult *crashed = sample_add(&sample, "any", "crash", CLAUSE_MUST);
  crashed->outcome = (Outcome){.kind = OUTCOME_CRASHED, .signal = 11};
  sample_evidence(crashed)->crash =
      (EvidenceCrash){.signal = 11, .code = 1, .address = UINT64_C(0x7f0000001000)};
  strcpy(crashed->outcome.evidence->crash.fence, "1 byte past the end of `args` (32 bytes)");
  sample_judge(&sample);
  json_t *root = write_and_parse(&sample, "addresses.json");
  expect_text(root, "cases.0.evidence.0.expected_bytes", "4100000000000000****************");
  expect_text(root, "cases.0.evidence.0.seen_bytes",
              "04000000000000001020304050"
              "7f0000");
  expect_text(root, "cases.0.evidence.1.expected_bytes", "41000000000000000000000000000000");
  expect_text(root, "cases.0.evidence.1.seen_bytes", "0800000000000000****************");
  expect_null(root, "cases.1.crash.address");
  expect_text(root, "cases.1.crash.fence", "1 byte past the end of `args` (32 bytes)");
  json_decref(root);
  sample_end(&sample);
}

TEST(races_are_marked)
{
  Sample sample;
  sample_begin(&sample);
  sample_fail(sample_add(&sample, "any", "races", CLAUSE_MUST));
  sample.report.results[0].outcome.races = true;
  sample_add(&sample, "any", "waits", CLAUSE_MUST);
  sample_judge(&sample);
  json_t *root = write_and_parse(&sample, "races.json");
  ck_assert(json_is_true(at(root, "cases.0.races")));
  ck_assert_ptr_null(json_object_get(at(root, "cases.1"), "races"));
  json_decref(root);
  char *text = sample_text(&sample, &(TextStyle){.columns = 80});
  ck_assert_uint_eq(sample_count(text, "      timing        its threads race: "), 1);
  free(text);
  sample_end(&sample);
}

TEST(unmatched_waivers_are_listed)
{
  Sample sample;
  sample_begin(&sample);
  sample_add(&sample, "any", "fine", CLAUSE_MUST);
  sample_judge(&sample);
  Waiver waiver = {.case_id = "any.stale", .reason = "x"};
  sample.report.unmatched = malloc(sizeof *sample.report.unmatched);
  sample.report.unmatched[0] = &waiver;
  sample.report.unmatched_count = 1;
  verdict_decide(&sample.report);
  json_t *root = write_and_parse(&sample, "unmatched.json");
  expect_text(root, "unmatched_waivers.0", "any.stale");
  json_decref(root);
  sample_end(&sample);
}

TEST(where_it_cannot_be_written)
{
  Sample sample;
  char error[256];
  sample_begin(&sample);
  sample_judge(&sample);
  ck_assert_int_eq(report_json(&sample.report, "/proc/nonexistent/r.json", error, sizeof error),
                   -1);
  ck_assert_str_eq(
      error, "cannot write the JSON report: /proc/nonexistent/r.json: No such file or directory");
  sample_end(&sample);
}
