// SPDX-License-Identifier: Apache-2.0
// The parts of the text report that stand around its cases: wrapping, the head line, progress.
#include <stdlib.h>
#include <string.h>

#include "report/text_layout.h"
#include "test_report.h"

static const TextStyle plain = {.columns = 80};

// --- Layout --------------------------------------------------------------------------------------

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

#define AT "                    "

TEST(wrapping)
{
  static const struct {
    const char *text, *lines;
  } texts[] = {
      {"", "      label         \n"},
      {"one", "      label         one\n"},
      {"one\ntwo\n\nthree\n", "      label         one\n" AT "two\n\n" AT "three\n"},
      {"aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeee",
       "      label         aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd\n" AT "eeeeeeeee\n"},
      {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
       "      label         aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n" AT "aaaaaaa\n"},
      {"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 x",
       "      label         \u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 "
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 x\n"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    char *seen = field(63, texts[i].text);
    ck_assert_str_eq(seen, texts[i].lines);
    free(seen);
    seen = field(1, texts[i].text);  // narrower than anything: as if it were 63
    ck_assert_str_eq(seen, texts[i].lines);
    free(seen);
  }
}

TEST(durations)
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

// --- Head and progress ---------------------------------------------------------------------------

static char *head_of(const Sample *sample, const TextStyle *style)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  report_text_head(out, style, &sample->report);
  ck_assert_int_eq(fclose(out), 0);
  return text;
}

TEST(head_line)
{
  Sample sample;
  sample_begin_with_every_kind(&sample);
  sample.library.exports[FN_GetVersion] = false;
  char *text = head_of(&sample, &plain);
  ck_assert_str_eq(text,
                   "libfoo_ffi.so   runtime profile, ABI 0.1 (reports 0.1.9)   45 of 46 functions"
                   "   10 cases, 1 not applicable   2 jobs\n");
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

// The progress of a run whose results come in the order given by `order` (NULL: as planned). Own.
static char *progress_of(const Sample *sample, const TextStyle *style, const int *order,
                         size_t steps)
{
  PlanItem items[SAMPLE_CASES_MAX] = {{0}};
  Plan plan = {.items = items, .count = sample->report.result_count};
  for (size_t i = 0; i < plan.count; ++i) {
    const CaseResult *result = &sample->report.results[i];
    items[i].instance = result->instance;
    if (result->verdict == VERDICT_SKIP && result->outcome.kind == OUTCOME_NOT_RUN)
      strcpy(items[i].skip, "why");
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

TEST(progress_off_a_terminal)
{
  static const int backwards[EVERY_COUNT] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  Sample sample;
  sample_begin_with_every_kind(&sample);
  const char *lines = "  any        1/3        object     1/6        string     0/1\n";
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

TEST(progress_on_a_terminal)
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
                   "  any            7/8        a-long-chapter 32/32      object         0/1\n");
  ck_assert_ptr_nonnull(
      strstr(text, "\r\033[K  a-long-chapter ................................  0/32\r\033[K"));
  free(text);
  free(screen);
  text = progress_of(&sample, &style, NULL, 2);  // interrupted: no chapter was finished
  screen = final_screen(text);
  ck_assert_str_eq(screen, "");
  free(text);
  free(screen);
  style.utf8 = true;
  style.columns = 40;  // no room for a bar: a line that wraps could not be redrawn
  text = progress_of(&sample, &style, NULL, 41);
  ck_assert_ptr_null(strstr(text, "\u2588"));
  free(text);
  style.columns = 80;
  text = progress_of(&sample, &style, (const int[]){3}, 1);  // the fourth of eight
  ck_assert_ptr_nonnull(strstr(text, "\u2591\u2593\u2593\u2593\u2593\u2591"));
  free(text);
  sample_end(&sample);
}

// A case may find out when it runs that it does not apply: it is not one of those that ran.
TEST(progress_without_what_does_not_apply)
{
  static const TextStyle terminal = {.columns = 80, .tty = true};
  Sample sample;
  sample_begin(&sample);
  for (int i = 0; i < 6; ++i) {
    CaseResult *result = sample_add(&sample, i < 4 ? "buffer" : "kernel", "x", CLAUSE_MUST);
    if (i != 1 && i != 2) result->outcome.end = EVIDENCE_SKIPPED;
    if (i == 2) sample_fail(result);
  }
  sample_judge(&sample);
  char *text = progress_of(&sample, &plain, NULL, 6);
  ck_assert_str_eq(text, "  buffer     1/2        kernel     0/0\n");
  free(text);
  text = progress_of(&sample, &terminal, NULL, 6);
  char *screen = final_screen(text);
  ck_assert_str_eq(screen, "  buffer     1/2        kernel     0/0\n");
  free(text);
  free(screen);
  sample_end(&sample);
}

TEST(progress_of_nothing)
{
  Sample sample;
  sample_begin(&sample);
  char *text =
      progress_of(&sample, &(TextStyle){.color = true, .utf8 = true, .tty = true}, NULL, 0);
  ck_assert_str_eq(text, "");
  free(text);
  report_text_progress_step(NULL, NULL);
  report_text_progress_end(NULL);
  sample_end(&sample);
}
