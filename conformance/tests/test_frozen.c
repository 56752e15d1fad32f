// SPDX-License-Identifier: Apache-2.0
// The ids of the cases are frozen in cases/ids.txt, and cases/pins.txt holds the digests of the
// sentences that each was written against: what disappeared or changed since is named here.
#include <check.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/case.h"

enum { LINE_MAX_BYTES = 1024, REPORT_MAX = 16384 };
static const char update[] = "conformance/cases/update";

// What is wrong, line by line, so that one run of the test names all of it.
static char report[REPORT_MAX];

__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...)
{
  size_t at = strlen(report);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(report + at, sizeof report - at, format, arguments);
  va_end(arguments);
}

// The next line of a file that is no comment, without its line feed. False at the end.
static bool next_line(FILE *file, char line[LINE_MAX_BYTES])
{
  while (fgets(line, LINE_MAX_BYTES, file)) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] && line[0] != '#') return true;
  }
  return false;
}

static FILE *open_file(const char *name)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", CASES_FOLDER, name);
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s can't be read; %s writes it", path, update);
  return file;
}

// --- Ids -----------------------------------------------------------------------------------------

static void check_alias(const char *old, const char *now)
{
  if (case_find(old)) complain("%s is an alias of %s, and a case\n", old, now);
  if (!case_find(now)) complain("%s is an alias of %s, which is no case\n", old, now);
}

START_TEST(no_id_is_lost)
{
  char line[LINE_MAX_BYTES];
  size_t frozen = 0, total;
  FILE *file = open_file("ids.txt");
  const CaseInstance *all = case_registry(&total);
  bool *known = calloc(total, sizeof *known);
  while (next_line(file, line)) {
    char *arrow = strstr(line, " -> ");
    if (arrow) {
      *arrow = '\0';
      check_alias(line, arrow + 4);
      continue;
    }
    const CaseInstance *instance = case_find(line);
    if (!instance)
      complain("%s has gone: write `%s -> NEW` if it has another name\n", line, line);
    else if (known[instance - all])
      complain("%s stands there twice\n", line);
    else
      known[instance - all] = true;
    ++frozen;
  }
  for (size_t i = 0; i < total; ++i)
    if (!known[i]) complain("%s is new\n", all[i].id);
  ck_assert_msg(!report[0], "ids.txt and the cases differ:\n%s%s brings in what is new", report,
                update);
  ck_assert_uint_eq(frozen, total);
  free(known);
  fclose(file);
}
END_TEST

// --- Sentences -----------------------------------------------------------------------------------

static const Case *find_case(const char *base)
{
  size_t total;
  const CaseInstance *all = case_registry(&total);
  for (size_t i = 0; i < total; ++i) {
    char id[CASE_ID_MAX];
    if (strcmp(case_base_id(&all[i], id), base) == 0) return all[i].test;
  }
  return NULL;
}

static bool cites(const Case *test, const Clause *clause)
{
  for (int c = 0; c < CASE_CLAUSES_MAX && test->clauses[c] != CLAUSE_NONE; ++c)
    if (clause_get(test->clauses[c]) == clause) return true;
  return false;
}

// One pin, "ANY-12=3527d8fc825803e2". True if the case cites the clause.
static bool check_pin(const char *id, const Case *test, char *pin)
{
  char *digest = strchr(pin, '=');
  ck_assert_msg(digest != NULL, "pins.txt: %s: %s is no pin", id, pin);
  *digest++ = '\0';
  const Clause *clause = clause_find(pin);
  if (!clause || !cites(test, clause)) {
    complain("%s no longer cites %s\n", id, pin);
    return false;
  }
  if (strtoull(digest, NULL, 16) != clause->digest)
    complain("%s: %s says something else than when the case was written: look at the case again\n",
             id, clause->id);
  return true;
}

START_TEST(no_sentence_changed_unnoticed)
{
  char line[LINE_MAX_BYTES];
  size_t pinned = 0, total, cases = 0;
  FILE *file = open_file("pins.txt");
  const CaseInstance *all = case_registry(&total);
  while (next_line(file, line)) {
    char *rest = line, *id = strsep(&rest, " ");
    const Case *test = find_case(id);
    ++pinned;
    if (!test) {
      complain("%s is pinned, and no case\n", id);
      continue;
    }
    size_t cited = 0, clauses = 0;
    for (char *pin; (pin = strsep(&rest, " "));) cited += check_pin(id, test, pin);
    while (clauses < CASE_CLAUSES_MAX && test->clauses[clauses] != CLAUSE_NONE) ++clauses;
    if (cited < clauses) complain("%s cites a clause that it is not pinned to\n", id);
  }
  for (size_t i = 0; i < total; ++i) cases += i == 0 || all[i].test != all[i - 1].test;
  if (pinned < cases) complain("%zu cases are not pinned\n", cases - pinned);
  ck_assert_msg(!report[0], "pins.txt and the cases differ:\n%safter that, %s pins them anew",
                report, update);
  ck_assert_uint_eq(pinned, cases);
  fclose(file);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("frozen");
  TCase *tests = tcase_create("frozen");
  tcase_add_test(tests, no_id_is_lost);
  tcase_add_test(tests, no_sentence_changed_unnoticed);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
