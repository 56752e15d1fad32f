// SPDX-License-Identifier: Apache-2.0
// The text report: what it looks like, to the letter, and what can't get into it.
#include <stdlib.h>
#include <string.h>

#include "report/text_layout.h"
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

// Compares a block with lines in which %1 and %2 stand for title and text of the clause VER-1.
static void expect_block(const char *text, const char *first, const char *lines)
{
  const Clause *clause = clause_get(VER_1);
  char *seen = block(text, first), *expected = NULL;
  ck_assert_int_ge(asprintf(&expected, lines, clause->title, clause->text), 0);
  ck_assert_str_eq(seen, expected);
  free(seen);
  free(expected);
}

#define SPEC "      the case   what has to be true\n      the spec   %1$s.\n                 %2$s\n"

static const struct {
  const char *first, *lines;
} blocks[] = {
    {"FAIL  any.wrong-bytes",
     "FAIL  any.wrong-bytes                                                MUST  VER-1\n" SPEC
     "      checked    strong count of the object\n"
     "      expected   2\n"
     "                 0b 00 00 00  03 00 00 00  61 62 63 00 00 00 00 ..\n"
     "      seen       1\n"
     "                 0b 00 00 00  03 01 00 00  61 62 63 00 cd 00 00 07\n"
     "                                 ^^                    ^^\n"
     "      where      after the second release (object.c:42)\n"
     "      again      tvmffi-conform repro any.wrong-bytes build/libfoo_ffi.so\n"},
    {"CRASH",
     "CRASH any.null                                                       MUST  VER-1\n"
     "      SIGSEGV at address 0x8 inside TVMFFIAnyViewToOwnedAny+0x1c\n" SPEC
     "      where      converting an rvalue reference to NULL\n"
     "      output     | first line\n"
     "                 | second line\n"
     "      again      tvmffi-conform repro any.null build/libfoo_ffi.so\n"},
    {"EXIT",
     "EXIT  object.leaves                                                  MUST  VER-1\n"
     "      ended the process with exit(3) before the case was done\n" SPEC
     "      again      tvmffi-conform repro object.leaves build/libfoo_ffi.so\n"},
    {"HANG",
     "HANG  object.hangs                                                   MUST  VER-1\n"
     "      did not come to an end within 2 s\n" SPEC
     "      again      tvmffi-conform repro object.hangs build/libfoo_ffi.so\n"},
    {"VOID",
     "VOID  object.lost                                                    MUST  VER-1\n"
     "      no process\n" SPEC
     "      again      tvmffi-conform repro object.lost build/libfoo_ffi.so\n"},
    {"XFAIL",
     "XFAIL object.known                                                   MUST  VER-1\n"
     "      waived     a deviation that is known\n"
     "                 https://example.org/1\n"
     "                 until 2027-01-31\n"},
    {"XPASS",
     "XPASS object.mended                                                  MUST  VER-1\n"
     "      waived     was broken once\n"
     "      seen       It passes. Take its entry out of waivers.json.\n"},
    {"1 not applicable:", "1 not applicable:\n     1  came with version 0.1.12\n"},
    {"9 run",
     "9 run in 0.9 s: 1 passed, 1 failed, 1 crashed, 1 ended the process, 1 timed out, 1 without a "
     "verdict, "
     "1 passed unexpectedly, 1 warned, 1 waived - 1 not applicable (1 reason) - 1 not run\n"
     "MUST 0 of 1 clauses hold - SHOULD 0 of 1\n"
     "NOT CONFORMANT to TVM FFI ABI 0.1.9 (runtime)\n"},
};

START_TEST(block_by_block)
{
  Sample sample;
  sample_begin_with_every_kind(&sample);
  char *text = sample_text(&sample, &plain);
  expect_block(text, blocks[_i].first, blocks[_i].lines);
  free(text);
  sample_end(&sample);
}
END_TEST

START_TEST(order_and_completeness)
{
  static const char *const order[] = {"1 not applicable",
                                      "XFAIL",
                                      "WARN  object.advice",
                                      "FAIL  ",
                                      "CRASH",
                                      "EXIT",
                                      "HANG",
                                      "VOID",
                                      "XPASS",
                                      "9 run",
                                      "MUST 0",
                                      "NOT CONFORMANT"};
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
END_TEST

START_TEST(quiet_and_verbose)
{
  Sample sample;
  sample_begin_with_every_kind(&sample);
  TextStyle style = plain;
  style.verbosity = -1;
  char *text = sample_text(&sample, &style);
  ck_assert_uint_eq(sample_count(text, "\n"), 3);
  ck_assert_int_eq(strncmp(text, "9 run", 5), 0);
  free(text);
  style.verbosity = 1;
  text = sample_text(&sample, &style);
  ck_assert_ptr_nonnull(strstr(text, "pass  any.fine"));
  ck_assert_ptr_nonnull(strstr(text, "  came with version 0.1.12\n          string.later\n"));
  free(text);
  sample_end(&sample);
}
END_TEST

START_TEST(no_escapes_without_colour)
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
  ck_assert_ptr_nonnull(strstr(text, "\033[1;33mWARN  \033[0m"));
  ck_assert_ptr_nonnull(strstr(text, " \u00b7 SHOULD 0 of 1"));
  ck_assert_uint_eq(sample_count(text, "\033[") % 2, 0);  // each colour ends
  free(text);
  sample_end(&sample);
}
END_TEST

static const struct {
  bool fails, waived, complete, run;
  const char *last;
} endings[] = {
    {false, false, true, true, "CONFORMS to TVM FFI ABI 0.1.9 (runtime)\n"},
    {true, false, true, true, "NOT CONFORMANT to TVM FFI ABI 0.1.9 (runtime)\n"},
    {true, true, true, true, "CONFORMS to TVM FFI ABI 0.1.9 (runtime), but for 1 waived\n"},
    {true, false, false, true, "NOT CONFORMANT to TVM FFI ABI 0.1.9 (runtime)\n"},
    {false, false, false, true,
     "NO VERDICT on TVM FFI ABI 0.1.9 (runtime): the run was not completed\n"},
    {false, false, true, false, "NO VERDICT on TVM FFI ABI 0.1.9 (runtime): no case was run\n"},
};

START_TEST(last_line)
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
END_TEST

START_TEST(a_part_is_called_a_part)
{
  Sample sample;
  sample_begin(&sample);
  sample_add(&sample, "any", "fine", CLAUSE_MUST);
  sample.selection.level = CLAUSE_MUST;
  sample.report.reported_version = UINT32_MAX;
  sample_judge(&sample);
  char *text = sample_text(&sample, &plain);
  ck_assert_ptr_nonnull(
      strstr(text, "\nCONFORMS to TVM FFI ABI 0.1 (runtime), as far as it was asked\n"));
  free(text);
  sample_end(&sample);
}
END_TEST

START_TEST(repeated_cases_are_shown_once)
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
  ck_assert_ptr_nonnull(strstr(text, "      2 of 5 runs of this case; the first of them:\n"));
  free(text);
  sample_end(&sample);
}
END_TEST

START_TEST(many_failures_are_cut)
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
      strstr(text, "      and        9 more expectations did not hold (-v shows more)\n"));
  free(text);
  style.verbosity = 1;
  text = sample_text(&sample, &style);
  ck_assert_uint_eq(sample_count(text, "      checked "), EVIDENCE_FAILURES_MAX);
  ck_assert_ptr_nonnull(strstr(text, "      and        4 more expectations did not hold\n"));
  free(text);
  sample_end(&sample);
}
END_TEST

START_TEST(output_is_quoted_and_cut)
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
      strstr(text, "      seen       1 expectation did not hold\n"));  // no evidence of it
  ck_assert_ptr_nonnull(strstr(text, "      output     | 1\n                 | 2\n"));
  ck_assert_ptr_nonnull(
      strstr(text, "                 | 10\n                 (the first 21 of 123456 bytes)\n"));
  ck_assert_ptr_null(strstr(text, "CONFORMS\n"));
  free(text);
  sample_end(&sample);
}
END_TEST

START_TEST(paths_are_fit_for_a_shell)
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
END_TEST

START_TEST(hostile)
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
END_TEST

START_TEST(stale_waivers)
{
  Sample sample;
  sample_begin(&sample);
  sample_add(&sample, "any", "fine", CLAUSE_MUST);
  sample_judge(&sample);
  Waiver waiver = {.case_id = "any.stale", .reason = "x"};
  sample.report.unmatched = malloc(sizeof *sample.report.unmatched);
  sample.report.unmatched[0] = &waiver;
  sample.report.unmatched_count = 1;
  sample.report.conforms = false;
  char *text = sample_text(&sample, &plain);
  ck_assert_ptr_nonnull(
      strstr(text, "\nSTALE any.stale\n      This waiver matches nothing that was run"));
  ck_assert_ptr_nonnull(
      strstr(text, "MUST 1 of 1 clauses hold - 1 waiver without a case\nNOT CONFORMANT"));
  free(text);
  sample_end(&sample);
}
END_TEST

// --- Layout---------------------------------------------------------------------------------------
// -------------------------------------------------------------------------------------------------

static char *field(int columns, const char *text)
{
  char *seen = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&seen, &size);
  TextStyle style = {.columns = columns, .utf8 = true};
  text_field(out, &style, "label", text, strlen(text));
  ck_assert_int_eq(fclose(out), 0);
  return seen;
}

#define AT "                 "

START_TEST(wrapping)
{
  static const struct {
    const char *text, *lines;
  } texts[] = {
      {"", "      label      \n"},
      {"one", "      label      one\n"},
      {"one\ntwo\n\nthree\n", "      label      one\n" AT "two\n\n" AT "three\n"},
      {"aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeee",
       "      label      aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd\n" AT "eeeeeeeee\n"},
      {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
       "      label      aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n" AT "aaaaaaa\n"},
      {"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 x",
       "      label      \u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 x\n"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    char *seen = field(60, texts[i].text);
    ck_assert_str_eq(seen, texts[i].lines);
    free(seen);
    seen = field(1, texts[i].text);  // narrower than anything: as if it were 60
    ck_assert_str_eq(seen, texts[i].lines);
    free(seen);
  }
}
END_TEST

START_TEST(durations)
{
  static const struct {
    uint64_t ns;
    const char *text;
  } table[] = {{0, "0 ms"},
               {99999999, "99 ms"},
               {100000000, "0.1 s"},
               {119900000000, "119.9 s"},
               {UINT64_C(3723000000000), "62 min 3 s"}};
  char text[32];
  for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i)
    ck_assert_str_eq(text_duration(table[i].ns, text), table[i].text);
}
END_TEST

// --- Head and progress----------------------------------------------------------------------------
// -------------------------------------------------------------------------------------------------

static char *head_of(const Sample *sample, const TextStyle *style)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  report_text_head(out, style, &sample->report);
  ck_assert_int_eq(fclose(out), 0);
  return text;
}

START_TEST(head_line)
{
  Sample sample;
  char expected[256];
  sample_begin_with_every_kind(&sample);
  sample.library.exports[FN_GetVersion] = false;
  unsigned known = abi_functions_in(ABI_VERSION(0, 1, 9));
  snprintf(expected, sizeof expected,
           "libfoo_ffi.so   runtime profile, ABI 0.1 (reports 0.1.9)   %u of %u functions   10 "
           "cases, 1 not "
           "applicable   2 jobs\n",
           known - 1, known);
  char *text = head_of(&sample, &plain);
  ck_assert_str_eq(text, expected);
  free(text);
  sample.library.profile = INSPECT_PROFILE_MODULE;
  sample.library.module_functions = 1;
  sample.library.sanitizers = INSPECT_THREAD_SANITIZER | INSPECT_ADDRESS_SANITIZER;
  sample.library.path = "/x/\033[2Jy.so";
  sample.report.profile = "module";
  sample.report.reported_version = UINT32_MAX;
  sample.report.jobs = 1;
  text = head_of(&sample, &plain);
  ck_assert_str_eq(
      text,
      "\\x1b[2Jy.so   module profile, ABI 0.1   1 function   10 cases, 1 not applicable   1 job"
      "   built with sanitizers: address, thread\n");
  free(text);
  TextStyle quiet = {.verbosity = -1};
  text = head_of(&sample, &quiet);
  ck_assert_str_eq(text, "");
  free(text);
  sample_end(&sample);
}
END_TEST

// The progress of a run whose results come in the order given by `order` (NULL: as planned). Own.
static char *progress_of(const Sample *sample, const TextStyle *style, const int *order,
                         size_t steps)
{
  PlanItem items[SAMPLE_CASES_MAX] = {{0}};
  Plan plan = {.items = items, .count = sample->report.result_count};
  for (size_t i = 0; i < plan.count; ++i) {
    items[i].instance = sample->report.results[i].instance;
    if (sample->report.results[i].verdict == VERDICT_SKIP) strcpy(items[i].skip, "why");
  }
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  TextProgress *progress = report_text_progress_new(out, style, &plan);
  ck_assert_ptr_nonnull(progress);
  for (size_t i = 0; i < steps; ++i) {
    size_t index = order ? (size_t)order[i] : i;
    if (!items[index].skip[0]) report_text_progress_step(progress, &sample->report.results[index]);
  }
  report_text_progress_end(progress);
  ck_assert_int_eq(fclose(out), 0);
  return text;
}

START_TEST(progress_off_a_terminal)
{
  static const int backwards[EVERY_COUNT] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  Sample sample;
  sample_begin_with_every_kind(&sample);
  const char *lines =
      "  any        1/3  2 bad\n"
      "  object     1/6  4 bad\n"
      "  string     0/1  1 bad\n";
  char *text = progress_of(&sample, &plain, NULL, EVERY_COUNT);
  ck_assert_str_eq(text, lines);
  free(text);
  text = progress_of(&sample, &plain, backwards,
                     EVERY_COUNT);  // whatever the order in which cases end
  ck_assert_str_eq(text, lines);
  free(text);
  text = progress_of(&sample, &plain, NULL, 2);  // interrupted: no chapter was finished
  ck_assert_str_eq(text, "");
  free(text);
  TextStyle quiet = plain;
  quiet.verbosity = -1;
  text = progress_of(&sample, &quiet, NULL, EVERY_COUNT);
  ck_assert_str_eq(text, "");
  free(text);
  sample_end(&sample);
}
END_TEST

// What a terminal shows in the end: each line as it was last drawn.
static char *final_screen(const char *text)
{
  char *screen = calloc(1, strlen(text) + 1), *end = screen, *line = screen;
  ck_assert_ptr_nonnull(screen);
  for (const char *c = text; *c; ++c) {
    if (strncmp(c, "\r\033[K", 4) == 0) {
      memset(line, 0, (size_t)(end - line));
      end = line;
      c += 3;
    } else {
      *end++ = *c;
      if (*c == '\n') line = end;
    }
  }
  return screen;
}

START_TEST(progress_on_a_terminal)
{
  Sample sample;
  sample_begin(&sample);
  for (int i = 0; i < 40; ++i) {
    CaseResult *result = sample_add(&sample, i < 8 ? "any" : "a-long-chapter", "x", CLAUSE_MUST);
    if (i == 3) sample_fail(result);
  }
  sample_fail(sample_add(&sample, "object", "advice", CLAUSE_SHOULD));
  sample_judge(&sample);
  TextStyle style = {.columns = 80, .tty = true, .utf8 = false};
  char *text = progress_of(&sample, &style, NULL, 41), *screen = final_screen(text);
  ck_assert_str_eq(screen,
                   "  any            ############XXXX################  7/8\n"
                   "  a-long-chapter ################################  32/32\n"
                   "  object         wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww  0/1\n");
  free(text);
  free(screen);
  text = progress_of(&sample, &style, NULL, 2);  // interrupted: the live line stays, and ends
  screen = final_screen(text);
  ck_assert_int_eq(screen[strlen(screen) - 1], '\n');
  ck_assert_uint_eq(sample_count(screen, "\n"), 1);
  free(text);
  free(screen);
  style.utf8 = true;
  style.columns = 40;  // no room for a bar: a line that wraps could not be redrawn
  text = progress_of(&sample, &style, NULL, 41);
  ck_assert_ptr_null(strstr(text, "\u2588"));
  free(text);
  style.columns = 80;
  text = progress_of(&sample, &style, NULL, 41);
  ck_assert_ptr_nonnull(strstr(text, "\u2588\u2588\u2588\u2588\u2593\u2593\u2593\u2593\u2588"));
  free(text);
  sample_end(&sample);
}
END_TEST

START_TEST(progress_of_nothing)
{
  Sample sample;
  sample_begin(&sample);
  char *text = progress_of(&sample, &fancy, NULL, 0);
  ck_assert_str_eq(text, "");
  free(text);
  report_text_progress_step(NULL, NULL);
  report_text_progress_end(NULL);
  sample_end(&sample);
}
END_TEST

TCase *report_text_tests(void)
{
  TCase *tests = tcase_create("text");
  tcase_add_loop_test(tests, block_by_block, 0, sizeof blocks / sizeof blocks[0]);
  tcase_add_test(tests, order_and_completeness);
  tcase_add_test(tests, quiet_and_verbose);
  tcase_add_test(tests, no_escapes_without_colour);
  tcase_add_loop_test(tests, last_line, 0, sizeof endings / sizeof endings[0]);
  tcase_add_test(tests, a_part_is_called_a_part);
  tcase_add_test(tests, repeated_cases_are_shown_once);
  tcase_add_test(tests, many_failures_are_cut);
  tcase_add_test(tests, output_is_quoted_and_cut);
  tcase_add_test(tests, paths_are_fit_for_a_shell);
  tcase_add_test(tests, hostile);
  tcase_add_test(tests, stale_waivers);
  tcase_add_test(tests, wrapping);
  tcase_add_test(tests, durations);
  tcase_add_test(tests, head_line);
  tcase_add_test(tests, progress_off_a_terminal);
  tcase_add_test(tests, progress_on_a_terminal);
  tcase_add_test(tests, progress_of_nothing);
  return tests;
}
