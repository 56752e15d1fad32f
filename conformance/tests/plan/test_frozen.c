// SPDX-License-Identifier: Apache-2.0
// cases/cases.lock freezes the ids of the cases and holds the digests of the clauses that each was
// written against: what disappeared or changed since is named here.
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/case.h"
#include "unit/unit.h"

enum { LINE_MAX_BYTES = 1024, REPORT_MAX = 7000 };
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

static FILE *open_lock(void)
{
  FILE *file = fopen(CASES_FOLDER "/cases.lock", "r");
  ck_assert_msg(file != NULL, CASES_FOLDER "/cases.lock: cannot be read (%s writes it)", update);
  return file;
}

// The next entry of the file: a case with its clauses in `rest`, or an alias, whose case `rest` is.
// False at the end.
static bool next_entry(FILE *file, char line[LINE_MAX_BYTES], char **rest, bool *alias)
{
  if (!next_line(file, line)) return false;
  char *arrow = strstr(line, " -> ");
  *alias = arrow != NULL;
  *rest = line;
  strsep(rest, " ");
  if (arrow) *rest = arrow + 4;
  return true;
}

// --- Ids -----------------------------------------------------------------------------------------

static void check_alias(const char *old, const char *now)
{
  const CaseInstance *instance = case_find(old);
  if (!instance || strcmp(instance->id, now) != 0)
    complain("%s: does not lead to the case %s\n", old, now);
  if (strcmp(case_current_id(now), now) != 0) complain("%s: an alias of an alias\n", old);
}

static void check_id(const char *id, bool known[], const CaseInstance *all)
{
  const CaseInstance *instance = case_find(id);
  if (!instance)
    complain("%s: no such case (if it was renamed, write `%s -> NEW`)\n", id, id);
  else if (known[instance - all])
    complain("%s: listed twice\n", id);
  else
    known[instance - all] = true;
}

TEST(no_id_is_lost)
{
  char line[LINE_MAX_BYTES], *rest;
  size_t frozen = 0, total;
  bool alias;
  FILE *file = open_lock();
  const CaseInstance *all = case_registry(&total);
  bool *known = calloc(total, sizeof *known);
  while (next_entry(file, line, &rest, &alias)) {
    if (alias) {
      check_alias(line, rest);
    } else {
      check_id(line, known, all);
      ++frozen;
    }
  }
  for (size_t i = 0; i < total; ++i)
    if (!known[i]) complain("%s: not in the file\n", all[i].id);
  ck_assert_msg(!report[0], "cases.lock and the cases differ:\n%s(%s adds new cases)", report,
                update);
  ck_assert_uint_eq(frozen, total);
  free(known);
  fclose(file);
}

// --- Clauses -------------------------------------------------------------------------------------

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
  ck_assert_msg(digest != NULL, "cases.lock: %s: %s is not CLAUSE=DIGEST", id, pin);
  *digest++ = '\0';
  const Clause *clause = clause_find(pin);
  if (!clause || !cites(test, clause)) {
    complain("%s: no longer cites %s\n", id, pin);
    return false;
  }
  if (strtoull(digest, NULL, 16) != clause->digest)
    complain("%s: %s changed since the case was written: review the case\n", id, clause->id);
  return true;
}

static void check_pins(const char *id, const Case *test, char *pins)
{
  size_t cited = 0, clauses = 0;
  for (char *pin; (pin = strsep(&pins, " "));) cited += check_pin(id, test, pin);
  while (clauses < CASE_CLAUSES_MAX && test->clauses[clauses] != CLAUSE_NONE) ++clauses;
  if (cited < clauses) complain("%s: cites a clause whose digest is missing\n", id);
}

// Of a case with many rows, one is enough to name.
TEST(no_clause_changed_unnoticed)
{
  char line[LINE_MAX_BYTES], *rest;
  bool alias;
  const Case *last = NULL;
  FILE *file = open_lock();
  while (next_entry(file, line, &rest, &alias)) {
    const CaseInstance *instance = alias ? NULL : case_find(line);
    size_t before = strlen(report);
    if (!instance) continue;
    check_pins(line, instance->test, rest);
    if (instance->test == last) report[before] = '\0';
    if (report[before]) last = instance->test;
  }
  ck_assert_msg(!report[0], "cases.lock and the clauses differ:\n%safter the review, run %s",
                report, update);
  fclose(file);
}
