// SPDX-License-Identifier: Apache-2.0
// The TAP report, read line by line as a harness does.
#include <stdlib.h>
#include <string.h>

#include "test_report.h"

typedef struct Tap {
  unsigned planned, tests, failed, todo, skipped, bailed, odd;
} Tap;

static void read_test(Tap *tap, const char *line)
{
  bool good = strncmp(line, "ok ", 3) == 0;
  unsigned number = 0;
  sscanf(line + (good ? 3 : 7), "%u", &number);
  tap->odd += number != ++tap->tests;
  bool todo = strstr(line, " # TODO") != NULL, skip = strstr(line, " # SKIP") != NULL;
  tap->todo += todo;
  tap->skipped += skip;
  tap->failed += !good && !todo;
}

// Reads a report; what is no line of TAP 14 is counted as odd.
static Tap read_tap(char *text)
{
  Tap tap = {0};
  bool in_yaml = false;
  ck_assert_int_eq(strncmp(text, "TAP version 14\n", 15), 0);
  for (char *rest = text + 15, *line; (line = strsep(&rest, "\n")) && *line;) {
    if (in_yaml) {
      in_yaml = strcmp(line, "  ...") != 0;
      tap.odd += strncmp(line, "  ", 2) != 0;
    } else if (strcmp(line, "  ---") == 0) {
      in_yaml = true;
    } else if (strncmp(line, "1..", 3) == 0) {
      tap.planned = (unsigned)atoi(line + 3);
    } else if (strncmp(line, "ok ", 3) == 0 || strncmp(line, "not ok ", 7) == 0) {
      read_test(&tap, line);
    } else if (strncmp(line, "Bail out!", 9) == 0) {
      ++tap.bailed;
    } else {
      ++tap.odd;
    }
  }
  tap.odd += in_yaml;
  return tap;
}

TEST(every_kind)
{
  Sample sample;
  size_t size;
  sample_begin_with_every_kind(&sample);
  char *text = sample_file(&sample, report_tap, "every.tap", &size);
  static const char *const lines[] = {
      "\n1..11\n",
      "\nok 1 - any.fine\n",
      "\nnot ok 2 - any.wrong-bytes\n  ---\n  verdict: fail\n  level: MUST\n  clauses: [VER-1]\n"
      "  message: \"strong count of the object: expected 2, actual 1\"\n",
      "\n    - what: \"strong count of the object\"\n      expected: \"2\"\n      actual: \"1\"\n"
      "      note: \"after the second release\"\n      source: \"object.c:42\"\n  ...\n",
      "\n  message: \"SIGSEGV at address 0x8 inside TVMFFIAnyViewToOwnedAny+0x1c\"\n",
      "\nnot ok 6 - object.lost\n",
      "\nnot ok 7 - object.advice # TODO warning, level SHOULD\n",
      "\nnot ok 8 - object.known # TODO waived: a deviation that is known\n",
      "\nnot ok 9 - object.mended\n",
      "\nok 10 - string.later # SKIP added in version 0.1.12\n",
      "\nnot ok 11 - string.not-run\n",
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i)
    ck_assert_msg(strstr(text, lines[i]) != NULL, "not found: %s", lines[i]);
  Tap tap = read_tap(text);
  ck_assert_uint_eq(tap.odd, 0);
  ck_assert_uint_eq(tap.planned, 11);
  ck_assert_uint_eq(tap.tests, 11);
  ck_assert_uint_eq(tap.failed, 7);
  ck_assert_uint_eq(tap.todo, 2);
  ck_assert_uint_eq(tap.skipped, 1);
  ck_assert_uint_eq(tap.bailed, 0);
  free(text);
  sample_end(&sample);
}

TEST(hostile)
{
  Sample sample;
  size_t size;
  sample_begin_hostile(&sample);
  char *text = sample_file(&sample, report_tap, "hostile.tap", &size);
  ck_assert(sample_is_clean(text, size, false));
  ck_assert_ptr_nonnull(strstr(text, "\\\"'\\\\#"));  // within quotes
  ck_assert_ptr_nonnull(
      strstr(text, "\"'\\\\\\#"));  // in a reason, where a number sign begins a directive
  Tap tap = read_tap(text);
  ck_assert_uint_eq(tap.odd, 0);
  ck_assert_uint_eq(tap.planned, 5);
  ck_assert_uint_eq(tap.tests, 5);
  ck_assert_uint_eq(tap.failed, 3);
  free(text);
  sample_end(&sample);
}

TEST(nothing_unmatched_and_interrupted)
{
  Sample sample;
  size_t size;
  sample_begin(&sample);
  sample.report.complete = false;
  sample_judge(&sample);
  char *text = sample_file(&sample, report_tap, "empty.tap", &size);
  ck_assert_str_eq(
      text,
      "TAP version 14\n1..1\nnot ok 1 - INCONCLUSIVE on TVM FFI ABI 0.1.9 (runtime): the run is "
      "incomplete\nBail out! The run is incomplete\n");
  free(text);
  Waiver waiver = {.case_id = "any.stale", .reason = "x"};
  sample.report.unmatched = malloc(sizeof *sample.report.unmatched);
  sample.report.unmatched[0] = &waiver;
  sample.report.complete = true;
  sample.report.unmatched_count = 1;
  verdict_decide(&sample.report);
  text = sample_file(&sample, report_tap, "unmatched.tap", &size);
  ck_assert_str_eq(
      text, "TAP version 14\n1..1\nnot ok 1 - waiver of any.stale matches a case that was run\n");
  free(text);
  sample_end(&sample);
}

TEST(where_it_cannot_be_written)
{
  Sample sample;
  char error[256];
  sample_begin(&sample);
  ck_assert_int_eq(report_tap(&sample.report, "/proc/nonexistent/r.tap", error, sizeof error), -1);
  ck_assert_str_eq(
      error, "cannot write the TAP report: /proc/nonexistent/r.tap: No such file or directory");
  sample_end(&sample);
}
