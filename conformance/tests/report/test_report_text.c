// SPDX-License-Identifier: Apache-2.0
// The text report: what it looks like, to the letter, and what can't get into it.
#include <stdlib.h>
#include <string.h>

#include "test_report.h"

static const TextStyle plain = {.columns = 80};
static const TextStyle fancy = {.columns = 80, .color = true, .utf8 = true, .tty = true};

// The part of a text from the line that begins with `first` to the empty line behind it. Own.
static char *block(const char *text, const char *first)
{
  const char *begin = strstr(text, first);
  ck_assert_msg(begin != NULL, "no \"%s\" in:\n%s", first, text);
  const char *end = strstr(begin, "\n\n");
  return strndup(begin, end ? (size_t)(end - begin) + 1 : strlen(begin));
}

// Compares a block with lines in which %1 and %2 stand for title and text of the clause VER-1, %3 for
// the title of VER-5.
static void expect_block(const char *text, const char *first, const char *lines)
{
  const Clause *clause = clause_get(VER_1);
  char *seen = block(text, first), *expected = NULL;
  ck_assert_int_ge(
      asprintf(&expected, lines, clause->title, clause->text, clause_get(VER_5)->title), 0);
  ck_assert_str_eq(seen, expected);
  free(seen);
  free(expected);
}

#define SPEC \
  "      case          what must hold\n      clause        %1$s.\n                    %2$s\n"

// The clause was just quoted, by the first case of it.
#define SPEC_AGAIN "      case          what must hold\n      clause        VER-1: %1$s.\n"

static const struct {
  const char *first, *lines;
} blocks[] = {
    {"FAIL  any.wrong-bytes",
     "FAIL  any.wrong-bytes                                                MUST  VER-1\n" SPEC
     "      checked       strong count of the object\n"
     "      expected      2\n"
     "                    0b 00 00 00  03 00 00 00  61 62 63 00 00 00 00 ..\n"
     "      actual        1\n"
     "                    0b 00 00 00  03 01 00 00  61 62 63 00 cd 00 00 07\n"
     "                                    ^^                    ^^\n"
     "      at            after the second release (object.c:42)\n"
     "      reproduce     tvmffi-conform repro any.wrong-bytes build/libfoo_ffi.so\n"},
    {"CRASH",
     "CRASH any.null                                                       MUST  VER-1\n"
     "      SIGSEGV at address 0x8 inside TVMFFIAnyViewToOwnedAny+0x1c\n" SPEC_AGAIN
     "      at            converting an rvalue reference to NULL\n"
     "      output        | first line\n"
     "                    | second line\n"
     "      reproduce     tvmffi-conform repro any.null build/libfoo_ffi.so\n"},
    {"EXIT",
     "EXIT  object.leaves                                                  MUST  VER-1\n"
     "      called exit(3) before the end of the case\n" SPEC_AGAIN
     "      reproduce     tvmffi-conform repro object.leaves build/libfoo_ffi.so\n"},
    {"HANG",
     "HANG  object.hangs                                                   MUST  VER-1\n"
     "      timed out after 2 s\n" SPEC_AGAIN
     "      reproduce     tvmffi-conform repro object.hangs build/libfoo_ffi.so\n"},
    {"VOID",
     "VOID  object.lost                                                    MUST  VER-1\n"
     "      no process\n" SPEC_AGAIN
     "      reproduce     tvmffi-conform repro object.lost build/libfoo_ffi.so\n"},
    {"1 warned, 1 clause", "1 warned, 1 clause (-v shows each):\n  SHOULD     VER-5     %3$s\n"},
    {"1 waived, 1 clause", "1 waived, 1 clause (-v shows each):\n  MUST       VER-1     %1$s\n"},
    {"XPASS",
     "XPASS object.mended                                                  MUST  VER-1\n"
     "      waived        was broken once\n"
     "      actual        it passes; remove its entry from waivers.json\n"},
    {"9 run",
     "9 run in 0.9 s: 1 passed, 1 failed, 1 crashed, 1 exited, 1 timed out, 1 inconclusive, "
     "1 passed unexpectedly, 1 warned, 1 waived - 1 not applicable (1 reason; see -v) - 1 not run\n"
     "core 0 of 1 MUST - 0 of 1 SHOULD\n"
     "judged 1 of 1 applicable MUST clauses\n"},
    {"NOT CONFORMANT", "NOT CONFORMANT to TVM FFI ABI 0.1.9 (runtime)\n"},
};

TEST(block_by_block, .rows = ROWS(blocks))
{
  Sample sample;
  sample_begin_with_every_kind(&sample);
  char *text = sample_text(&sample, &plain);
  expect_block(text, blocks[_i].first, blocks[_i].lines);
  free(text);
  sample_end(&sample);
}

TEST(order_and_completeness)
{
  static const char *const order[] = {
      "9 run", "core 0 of 1 MUST", "FAIL  ",    "CRASH",         "EXIT", "HANG", "VOID",
      "XPASS", "1 warned,",        "1 waived,", "NOT CONFORMANT"};
  Sample sample;
  sample_begin_with_every_kind(&sample);
  char *text = sample_text(&sample, &plain);
  const char *at = text;
  for (size_t i = 0; i < sizeof order / sizeof order[0]; ++i) {
    at = strstr(at, order[i]);
    ck_assert_msg(at != NULL, "%s is not where it belongs:\n%s", order[i], text);
  }
  ck_assert_ptr_null(strstr(text, "any.fine"));
  ck_assert_ptr_null(strstr(text, "string.later"));
  ck_assert_ptr_null(strstr(text, "string.not-run"));
  free(text);
  sample_end(&sample);
}

// What is there with -q, with --only-failed, and with -v.
TEST(less_and_more)
{
  static const struct {
    const char *part;
    bool quiet, only_failed, verbose;
  } parts[] = {
      {"9 run", false, true, true},
      {"FAIL  any.wrong-bytes", true, true, true},
      {"XPASS object.mended", true, true, true},
      {"\n1 warned,", false, false, false},
      {"\n1 waived,", false, false, false},
      {"WARN  object.advice", false, false, true},
      {"XFAIL object.known", false, false, true},
      {"      waived        a deviation that is known\n                    https://example.org/1\n"
       "                    until 2027-01-31\n",
       false, false, true},
      {"pass  any.fine", false, false, true},
      {"  added in version 0.1.12\n          string.later\n", false, false, true},
      {"NOT CONFORMANT", true, true, true},
  };
  Sample sample;
  sample_begin_with_every_kind(&sample);
  char *quiet = sample_text(&sample, &(TextStyle){.columns = 80, .verbosity = -1});
  char *failed = sample_text(&sample, &(TextStyle){.columns = 80, .only_failed = true});
  char *all = sample_text(&sample, &(TextStyle){.columns = 80, .verbosity = 1});
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
    const char *part = parts[i].part;
    ck_assert_msg((strstr(quiet, part) != NULL) == parts[i].quiet, "-q: %s:\n%s", part, quiet);
    ck_assert_msg((strstr(failed, part) != NULL) == parts[i].only_failed, "%s:\n%s", part, failed);
    ck_assert_msg((strstr(all, part) != NULL) == parts[i].verbose, "-v: %s:\n%s", part, all);
  }
  ck_assert_int_eq(strncmp(quiet, "FAIL  ", 6), 0);
  free(quiet);
  free(failed);
  free(all);
  sample_end(&sample);
}

TEST(many_failures_are_told_by_their_clauses)
{
  Sample sample;
  sample_begin(&sample);
  for (size_t i = 0; i < SAMPLE_CASES_MAX; ++i) {
    char *name = NULL;
    ck_assert_int_ge(asprintf(&name, "bad-%02zu", i), 0);
    sample_fail(sample_add(&sample, "any", name, CLAUSE_MUST));
    free(name);
  }
  sample_judge(&sample);
  char *text = sample_text(&sample, &plain);
  ck_assert_uint_eq(sample_count(text, "FAIL  any.bad-"), 40);
  ck_assert_uint_eq(sample_count(text, clause_get(VER_1)->text), 1);
  ck_assert_ptr_nonnull(strstr(text, "\n8 more failed, 1 clause (-v shows each):\n  MUST  "));
  free(text);
  text = sample_text(&sample, &(TextStyle){.columns = 80, .verbosity = 1});
  ck_assert_uint_eq(sample_count(text, "FAIL  any.bad-"), SAMPLE_CASES_MAX);
  free(text);
  sample_end(&sample);
}

// Warnings of ever more clauses: a line each, and of the last ones the names alone.
TEST(many_warnings_are_told_by_their_clauses)
{
  Sample sample;
  sample_begin(&sample);
  for (size_t i = 0, id = 1; i < 30; ++i, ++id) {
    while (clause_get((ClauseId)id)->level != CLAUSE_HARDENING) ++id;
    CaseResult *result = sample_add(&sample, "any", "x", CLAUSE_SHOULD);
    sample.instances[i].clauses[0] = (ClauseId)id;
    sample.instances[i].level = CLAUSE_HARDENING;
    sample_fail(result);
    if (i < 2) result->outcome.kind = OUTCOME_EXITED;
    if (i != 1) continue;
    CaseResult *another = sample_add(&sample, "any", "y", CLAUSE_SHOULD);
    sample.instances[2] = sample.instances[1];
    sample_fail(another);
    ++i;
  }
  sample_judge(&sample);
  char *text = sample_text(&sample, &plain);
  ck_assert_ptr_nonnull(strstr(text, "\n30 warned, 29 clauses (-v shows each):\n  HARDENING  "));
  ck_assert_uint_eq(sample_count(text, "\n  HARDENING  "), 24);
  ck_assert_uint_eq(sample_count(text, "  (exited)\n"), 1);
  ck_assert_uint_eq(sample_count(text, "  (2 cases, 1 exited)\n"), 1);
  ck_assert_ptr_nonnull(strstr(text, "\n      and 5 more: "));
  free(text);
  sample_end(&sample);
}

TEST(no_escapes_without_colour)
{
  Sample sample;
  sample_begin_with_every_kind(&sample);
  char *text = sample_text(&sample, &plain);
  ck_assert(sample_is_clean(text, strlen(text), false));
  for (const char *c = text; *c; ++c) ck_assert_msg((unsigned char)*c < 0x80, "not ASCII: %s", c);
  free(text);
  text = sample_text(&sample, &fancy);
  ck_assert_ptr_nonnull(strstr(text, "\033[1;31mFAIL  \033[0m"));
  ck_assert_ptr_nonnull(strstr(text, "\033[1;31mcd\033[0m"));  // the wrong byte, and it alone
  ck_assert_uint_eq(sample_count(text, "\033[1;31mcd"), 1);
  ck_assert_ptr_nonnull(strstr(text, "\033[1;33m1 warned\033[0m,"));
  ck_assert_ptr_nonnull(strstr(text, " \u00b7 0 of 1 SHOULD"));
  ck_assert_uint_eq(sample_count(text, "\033[") % 2, 0);  // each colour ends
  free(text);
  sample_end(&sample);
}

static const struct {
  bool fails, waived, complete, run;
  const char *last;
} endings[] = {
    {false, false, true, true, "CONFORMS to TVM FFI ABI 0.1.9 (runtime)\n"},
    {true, false, true, true, "NOT CONFORMANT to TVM FFI ABI 0.1.9 (runtime)\n"},
    {true, true, true, true,
     "BROKEN, KNOWN but otherwise conforms to TVM FFI ABI 0.1.9 (runtime): 1 case failed as waivers expect\n"},
    {true, false, false, true, "NOT CONFORMANT to TVM FFI ABI 0.1.9 (runtime)\n"},
    {false, false, false, true,
     "INCONCLUSIVE on TVM FFI ABI 0.1.9 (runtime): the run is incomplete\n"},
    {false, false, true, false, "INCONCLUSIVE on TVM FFI ABI 0.1.9 (runtime): no case was run\n"},
};

TEST(last_line, .rows = ROWS(endings))
{
  Sample sample;
  sample_begin(&sample);
  sample_add_skipped(&sample, "any", "skipped", "why");
  if (endings[_i].run) sample_add(&sample, "any", "fine", CLAUSE_MUST);
  if (endings[_i].fails) sample_fail(sample_add(&sample, "any", "bad", CLAUSE_MUST));
  if (endings[_i].waived) sample_waive(&sample, "any.bad", "known");
  if (!endings[_i].complete)
    sample_add(&sample, "any", "not-run", CLAUSE_MUST)->outcome.kind = OUTCOME_NOT_RUN;
  sample.report.complete = endings[_i].complete;
  sample_judge(&sample);
  char *text = sample_text(&sample, &plain), *line = text + strlen(text) - 1;
  while (line > text && line[-1] != '\n') --line;
  ck_assert_str_eq(line, endings[_i].last);
  free(text);
  sample_end(&sample);
}

TEST(a_part_is_called_a_part)
{
  Sample sample;
  sample_begin(&sample);
  sample_add(&sample, "any", "fine", CLAUSE_MUST);
  sample.selection.level = CLAUSE_MUST;
  sample.report.reported_version = UINT32_MAX;
  sample_judge(&sample);
  char *text = sample_text(&sample, &plain);
  ck_assert_ptr_nonnull(strstr(text, "\nCONFORMS to TVM FFI ABI 0.1 (runtime), partial run\n"));
  free(text);
  sample_end(&sample);
}

TEST(repeated_cases_are_shown_once)
{
  Sample sample;
  sample_begin(&sample);
  for (int turn = 0; turn < 5; ++turn) {
    CaseResult *result = sample_add(&sample, "any", "flaky", CLAUSE_MUST);
    result->instance = sample.report.results[0].instance;
    if (turn % 2) sample_fail(result);
  }
  sample.selection.repeat = 5;
  sample_judge(&sample);
  char *text = sample_text(&sample, &plain);
  ck_assert_uint_eq(sample_count(text, "FAIL  any.flaky"), 1);
  ck_assert_ptr_nonnull(strstr(text, "      2 of 5 runs of this case failed; the first:\n"));
  free(text);
  sample_end(&sample);
}

// Rows of one case: the first in full, the others by name.
static void add_rows(Sample *sample, const char *const *names, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    sample_fail(sample_add(sample, "any", names[i], CLAUSE_MUST));
    sample->instances[i].test = &sample->tests[0];
    sample->instances[i].row = &names[i];
  }
}

TEST(rows_of_a_case_are_shown_once)
{
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g",
                                      "h", "i", "j", "k", "l", "m", "n"};
  Sample sample;
  sample_begin(&sample);
  add_rows(&sample, names, 4);
  sample.report.results[3].outcome.kind = OUTCOME_EXITED;  // otherwise than the others
  sample_judge(&sample);
  TextStyle style = plain;
  char *text = sample_text(&sample, &style);
  ck_assert_uint_eq(sample_count(text, "FAIL  "), 1);
  ck_assert_ptr_nonnull(strstr(text, "FAIL  any.a "));
  ck_assert_ptr_nonnull(strstr(text, "      also failing  b, c (-v shows each)\n"));
  ck_assert_ptr_nonnull(strstr(text, "EXIT  any.d "));
  ck_assert_uint_eq(sample_count(text, "also failing"), 1);
  free(text);
  style.verbosity = 1;
  text = sample_text(&sample, &style);
  ck_assert_uint_eq(sample_count(text, "FAIL  "), 3);
  ck_assert_uint_eq(sample_count(text, "also failing"), 0);
  free(text);
  sample_end(&sample);
  sample_begin(&sample);
  add_rows(&sample, names, sizeof names / sizeof names[0]);
  sample_judge(&sample);
  text = sample_text(&sample, &plain);
  ck_assert_ptr_nonnull(strstr(text, "  b, c, d, e, f, g, h, i, j, k, l, m and 1 more (-v shows"));
  free(text);
  sample_end(&sample);
}

TEST(waived_rows_are_counted)
{
  static const char *const names[] = {"a", "of_b", "c", "d"};
  Sample sample;
  sample_begin(&sample);
  add_rows(&sample, names, 4);
  static const char *const ids[] = {"any.a", "any.of_b", "any.c", "any.d"};
  for (int i = 0; i < 4; ++i) sample_waive(&sample, ids[i], "one reason");
  sample.waivers[2].url = (char *)"https://else.where";
  sample.waivers[3].expires = (char *)"2099-01-01";
  sample_judge(&sample);
  char *text = sample_text(&sample, &plain);
  ck_assert_ptr_nonnull(strstr(text, "\n4 waived, 1 clause (-v shows each):\n"));
  ck_assert_uint_eq(sample_count(text, "  (4 cases)\n"), 1);
  free(text);
  sample_end(&sample);
}

TEST(rows_that_differ_are_shown_each)
{
  static const char *const names[] = {"a", "b", "c", "d"};
  Sample sample;
  sample_begin(&sample);
  add_rows(&sample, names, 4);
  for (int i = 0; i < 2; ++i) {
    Outcome *outcome = &sample.report.results[i].outcome;
    *outcome = (Outcome){.kind = OUTCOME_CRASHED, .signal = 11, .evidence = outcome->evidence};
  }
  sample.report.results[1].outcome.where = strdup("elsewhere+0x1");
  sample_waive(&sample, "any.c", "one reason");
  sample_waive(&sample, "any.d", "another reason");
  sample_judge(&sample);
  char *text = sample_text(&sample, &plain);
  ck_assert_uint_eq(sample_count(text, "CRASH any."), 2);
  ck_assert_ptr_nonnull(strstr(text, "2 waived,"));
  ck_assert_uint_eq(sample_count(text, "also failing"), 0);
  free(text);
  sample_end(&sample);
}

TEST(many_failures_are_cut)
{
  Sample sample;
  sample_begin(&sample);
  CaseResult *result = sample_add(&sample, "any", "bad", CLAUSE_MUST);
  for (int i = 0; i < 12; ++i) sample_fail(result);
  sample_judge(&sample);
  TextStyle style = plain;
  char *text = sample_text(&sample, &style);
  ck_assert_uint_eq(sample_count(text, "      checked "), 3);
  ck_assert_ptr_nonnull(
      strstr(text, "      more          9 more expectations failed (-v shows more)\n"));
  free(text);
  style.verbosity = 1;
  text = sample_text(&sample, &style);
  ck_assert_uint_eq(sample_count(text, "      checked "), EVIDENCE_FAILURES_MAX);
  ck_assert_ptr_nonnull(strstr(text, "      more          4 more expectations failed\n"));
  free(text);
  sample_end(&sample);
}

TEST(output_is_quoted_and_cut)
{
  Sample sample;
  sample_begin(&sample);
  Outcome *outcome = &sample_add(&sample, "any", "bad", CLAUSE_MUST)->outcome;
  outcome->failed = 1;
  outcome->output = strdup("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nCONFORMS\n");
  outcome->output_bytes = 123456;
  sample_judge(&sample);
  char *text = sample_text(&sample, &plain);
  ck_assert_ptr_nonnull(
      strstr(text, "      actual        1 expectation failed\n"));  // no evidence of it
  ck_assert_ptr_nonnull(strstr(text, "      output        | 1\n                    | 2\n"));
  ck_assert_ptr_nonnull(strstr(
      text, "                    | 10\n                    (the first 21 of 123456 bytes)\n"));
  ck_assert_ptr_null(strstr(text, "CONFORMS\n"));
  free(text);
  sample_end(&sample);
}

TEST(paths_are_fit_for_a_shell)
{
  static const char *const paths[][2] = {
      {"/opt/x-1.2/lib_a.so", " /opt/x-1.2/lib_a.so\n"},
      {"my libs/it's.so", " 'my libs/it'\\''s.so'\n"},
      {"$(reboot).so", " '$(reboot).so'\n"},
      {"", " ''\n"},
  };
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
    Sample sample;
    sample_begin(&sample);
    sample.library.path = paths[i][0];
    sample_fail(sample_add(&sample, "any", "bad", CLAUSE_MUST));
    sample_judge(&sample);
    char *text = sample_text(&sample, &plain);
    ck_assert_msg(strstr(text, paths[i][1]) != NULL, "%s", text);
    free(text);
    sample_end(&sample);
  }
}

TEST(hostile)
{
  Sample sample;
  sample_begin_hostile(&sample);
  for (int verbosity = 0; verbosity <= 1; ++verbosity) {
    TextStyle style = {.columns = 80, .utf8 = true, .verbosity = verbosity};
    char *text = sample_text(&sample, &style);
    ck_assert(sample_is_clean(text, strlen(text), false));
    ck_assert_uint_lt(strlen(text), 200000);
    ck_assert_ptr_nonnull(strstr(text, "of 10000000 bytes)"));
    free(text);
  }
  sample_end(&sample);
}

TEST(stale_waivers)
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
  char *text = sample_text(&sample, &plain);
  ck_assert_ptr_nonnull(
      strstr(text, "\nSTALE any.stale\n      the waiver matches no case that was run"));
  ck_assert_ptr_nonnull(strstr(text, "applicable MUST clauses - 1 unused waiver\n\nSTALE"));
  free(text);
  sample_end(&sample);
}
