// SPDX-License-Identifier: Apache-2.0
#include "report/report_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/json_file.h"
#include "report/report_shape.h"

enum { FILE_SIZE_MAX = 64 << 20, SHOWN_MAX = 120, CASES_MAX = 4 << 20 };

// What to do about most of what can be wrong.
#define AGAIN "run the suite again with --report json:FILE"
#define NOT_JOINED "reports cannot be joined by hand"

// The file that is read. It is somebody's: what is quoted of it is made printable.
typedef struct Reading {
  const char *path, *text;
  size_t size;
  char *error;
  size_t error_size;
} Reading;

static void make_printable(char *text)
{
  for (; *text; ++text)
    if (*text < ' ' || *text > '~') *text = '?';
}

// Always false.
__attribute__((format(printf, 2, 3))) static bool complain(const Reading *reading,
                                                           const char *format, ...)
{
  va_list arguments;
  int used = snprintf(reading->error, reading->error_size, "%s", reading->path);
  if (used < 0 || (size_t)used >= reading->error_size) return false;
  va_start(arguments, format);
  vsnprintf(reading->error + used, reading->error_size - (size_t)used, format, arguments);
  va_end(arguments);
  make_printable(reading->error + used);
  return false;
}

// --- Form ----------------------------------------------------------------------------------------

static const char *text_of(const json_t *object, const char *key)
{
  return json_string_value(json_object_get(object, key));
}

static bool check_format(const Reading *reading, const json_t *root)
{
  const char *format = text_of(root, "format");
  if (format && (strcmp(format, REPORT_FORMAT) == 0 || strcmp(format, REPORT_FORMAT_BEFORE) == 0))
    return true;
  if (!format) return complain(reading, ": is not a report of a run (" AGAIN ")");
  if (strncmp(format, "tvmffi-conform-inspect/", 23) == 0)
    return complain(reading,
                    ": is a report of `inspect`, not of a run (`tvmffi-conform inspect --baseline` "
                    "compares with it)");
  return complain(reading,
                  ": format \"%.*s\" is not supported, only \"" REPORT_FORMAT_BEFORE
                  "\" and \"" REPORT_FORMAT
                  "\" (use the version of tvmffi-conform that wrote it, or run the suite again)",
                  SHOWN_MAX, format);
}

static bool complain_at(const Reading *reading, const InspectJsonPlace *place, const char *what)
{
  char name[SHOWN_MAX];
  inspect_json_place_text(place, name, sizeof name);
  return complain(reading, ":%u: %s%s%s (" AGAIN ")",
                  inspect_json_place_line(place, reading->text, reading->size), name,
                  name[0] ? ": " : "", what);
}

static bool check_shape(const Reading *reading, const json_t *root)
{
  InspectJsonPlace place = {.depth = 0};
  char what[SHOWN_MAX];
  return report_shape_holds(root, &place, what, sizeof what) || complain_at(reading, &place, what);
}

static bool check_complete(const Reading *reading, const json_t *root)
{
  if (json_is_true(json_object_get(root, "complete"))) return true;
  const json_t *standing = json_object_get(json_object_get(root, "verdict"), "standing");
  if (standing && strcmp(json_string_value(standing), "not_judged") == 0)
    return complain(reading, ": nothing was judged: the library could not be loaded");
  return complain(reading,
                  ": the run is not complete: it was interrupted or stopped at the first failure "
                  "(run the whole suite)");
}

// --- Clauses and cases ---------------------------------------------------------------------------

static bool complain_at_item(const Reading *reading, const char *list, size_t index,
                             const char *what)
{
  InspectJsonPlace place = {.depth = 0};
  inspect_json_place_enter(&place, list);
  inspect_json_place_enter_item(&place, index);
  return complain_at(reading, &place, what);
}

static bool take_clauses(const Reading *reading, ReadReport *report)
{
  size_t index;
  json_t *clause;
  report->clauses = json_object();
  json_array_foreach(json_object_get(report->root, "clauses"), index, clause)
  {
    const char *id = text_of(clause, "id");
    if (json_object_get(report->clauses, id))
      return complain_at_item(reading, "clauses", index, "the clause is listed twice; " NOT_JOINED);
    if (json_object_set(report->clauses, id, clause) != 0)
      return complain(reading, ": out of memory");
  }
  return report->clauses || complain(reading, ": out of memory");
}

static bool knows_clauses(const Reading *reading, const ReadReport *report, const char *list,
                          const json_t *one, size_t index)
{
  char what[SHOWN_MAX];
  size_t i;
  json_t *clause;
  json_array_foreach(json_object_get(one, "clauses"), i, clause)
  {
    if (json_object_get(report->clauses, json_string_value(clause))) continue;
    snprintf(what, sizeof what, "cites %.40s, which is not in the report",
             json_string_value(clause));
    return complain_at_item(reading, list, index, what);
  }
  return true;
}

static bool has(const json_t *one, const char *key)
{
  return !json_is_null(json_object_get(one, key));
}

// What does not go with the verdict, or NULL.
static const char *contradiction(const json_t *one, Verdict verdict)
{
  const char *fail_kind = text_of(one, "fail_kind");
  bool failed = verdict == VERDICT_FAIL || verdict == VERDICT_XFAIL;
  bool waived = verdict == VERDICT_XFAIL || verdict == VERDICT_XPASS;
  bool crashed = fail_kind && strcmp(fail_kind, "crash") == 0;
  if (failed != (fail_kind != NULL)) return "fail_kind does not match the verdict";
  if (waived && !has(one, "waiver")) return "the verdict needs a waiver";
  if (crashed != has(one, "crash")) return "crash does not match fail_kind";
  if (verdict != VERDICT_PASS) return NULL;
  bool plain = !*text_of(one, "reason") && !json_array_size(json_object_get(one, "evidence"));
  return plain ? NULL : "a pass has neither evidence nor reason";
}

// The form of the report has been looked at: it is the name of one.
static Verdict verdict_of(const char *name)
{
  int verdict = 0;
  while (verdict < VERDICT_COUNT - 1 && strcmp(judge_verdict_name((Verdict)verdict), name) != 0)
    ++verdict;
  return (Verdict)verdict;
}

static ReadCase case_of(const json_t *raw, size_t index)
{
  return (ReadCase){case_current_id(text_of(raw, "id")),
                    clause_level_find(text_of(raw, "level")),
                    verdict_of(text_of(raw, "verdict")),
                    json_is_true(json_object_get(raw, "races")),
                    index,
                    raw};
}

// By id, and the worst of each first; of equals the one that was first in the report.
static int compare_cases(const void *one, const void *other)
{
  const ReadCase *a = one, *b = other;
  int order = strcmp(a->id, b->id);
  if (order == 0) order = report_read_rank(b->verdict) - report_read_rank(a->verdict);
  return order ? order : (a->index > b->index) - (a->index < b->index);
}

// Merges the repetitions of each case.
static bool merge(const Reading *reading, ReadReport *report, size_t listed)
{
  json_int_t repeat =
      json_integer_value(json_object_get(json_object_get(report->root, "selection"), "repeat"));
  if (listed > 0) qsort(report->cases, listed, sizeof *report->cases, compare_cases);
  for (size_t i = 0, end; i < listed; i = end) {
    for (end = i + 1; end < listed && strcmp(report->cases[end].id, report->cases[i].id) == 0;)
      ++end;
    if ((json_int_t)(end - i) > repeat)
      return complain(reading,
                      ": cases: %.*s is listed %zu times, more than the %" JSON_INTEGER_FORMAT
                      " of the run; " NOT_JOINED,
                      SHOWN_MAX, report->cases[i].id, end - i, repeat);
    report->cases[report->case_count++] = report->cases[i];
  }
  return true;
}

// The names of the functions that the group is about.
static const json_t *names_of(const ReadReport *report, const json_t *group)
{
  const json_t *names = json_object_get(group, "functions");
  return json_is_null(names) ? json_object_get(report->root, "functions") : names;
}

// At most CASES_MAX + 1: a small file may speak of any number.
static size_t count_listed(const ReadReport *report)
{
  size_t index, listed = json_array_size(json_object_get(report->root, "cases"));
  json_t *group;
  json_array_foreach(json_object_get(report->root, "groups"), index, group)
  {
    listed += json_array_size(names_of(report, group));
    if (listed > CASES_MAX) return CASES_MAX + 1;
  }
  return listed;
}

// A case for each function of the group; their object is that of the group.
static bool take_group(const Reading *reading, ReadReport *report, const json_t *group,
                       size_t *listed)
{
  size_t index;
  json_t *name;
  json_array_foreach(names_of(report, group), index, name)
  {
    const char *function = json_is_object(name) ? text_of(name, "name") : json_string_value(name);
    json_t *id = json_sprintf("%s@%s", case_current_id(text_of(group, "id")), function);
    if (!id || json_array_append_new(report->ids, id) != 0)
      return complain(reading, ": out of memory");
    ReadCase *one = &report->cases[*listed];
    *one = case_of(group, *listed);
    one->id = json_string_value(id);
    ++*listed;
  }
  return true;
}

static bool take_groups(const Reading *reading, ReadReport *report, size_t *listed)
{
  size_t index;
  json_t *group;
  json_array_foreach(json_object_get(report->root, "groups"), index, group)
  {
    size_t count = json_array_size(names_of(report, group));
    if (!knows_clauses(reading, report, "groups", group, index)) return false;
    if ((json_int_t)count != json_integer_value(json_object_get(group, "count")))
      return complain_at_item(reading, "groups", index, "count does not match its functions");
    if (!take_group(reading, report, group, listed)) return false;
  }
  return true;
}

static bool take_cases(const Reading *reading, ReadReport *report)
{
  size_t index, listed = 0;
  json_t *raw;
  size_t room = count_listed(report);
  if (room > CASES_MAX) return complain(reading, ": speaks of more than %d cases", CASES_MAX);
  report->cases = calloc(room + 1, sizeof *report->cases);
  report->ids = json_array();
  if (!report->cases || !report->ids) return complain(reading, ": out of memory");
  json_array_foreach(json_object_get(report->root, "cases"), index, raw)
  {
    if (!knows_clauses(reading, report, "cases", raw, index)) return false;
    report->cases[listed] = case_of(raw, listed);
    const char *wrong = contradiction(raw, report->cases[listed++].verdict);
    if (wrong) return complain_at_item(reading, "cases", index, wrong);
  }
  return take_groups(reading, report, &listed) && merge(reading, report, listed);
}

static void take_standing(ReadReport *report)
{
  const char *name = text_of(json_object_get(report->root, "verdict"), "standing");
  for (int standing = 0; name && standing <= STANDING_NOT_JUDGED; ++standing) {
    if (strcmp(verdict_standing_name((RunStanding)standing), name) != 0) continue;
    report->has_standing = true;
    report->standing = (RunStanding)standing;
  }
}

static void take_head(ReadReport *report)
{
  const json_t *library = json_object_get(report->root, "library");
  const json_t *selection = json_object_get(report->root, "selection");
  report->library = text_of(library, "name");
  report->version = text_of(library, "reported_version");
  report->profile = text_of(library, "profile");
  take_standing(report);
  report->partial = json_array_size(json_object_get(selection, "filters")) > 0 ||
                    json_array_size(json_object_get(selection, "excludes")) > 0 ||
                    json_is_object(json_object_get(selection, "shard")) ||
                    strcmp(text_of(selection, "level"), "MUST") == 0;
}

// --- The report ----------------------------------------------------------------------------------

int report_read_rank(Verdict verdict)
{
  static const int ranks[VERDICT_COUNT] = {
      [VERDICT_PASS] = 0,  [VERDICT_XFAIL] = 1, [VERDICT_INCONCLUSIVE] = 2,
      [VERDICT_XPASS] = 2, [VERDICT_FAIL] = 3,  [VERDICT_SKIP] = -1};
  return ranks[verdict];
}

bool report_read_counts(const ReadCase *one)
{
  bool bad = one->verdict == VERDICT_FAIL || one->verdict == VERDICT_INCONCLUSIVE;
  return (bad && one->level == CLAUSE_MUST) || one->verdict == VERDICT_XPASS;
}

ReadReport *report_read_text(const char *path, const char *text, size_t size, char *error,
                             size_t error_size)
{
  Reading reading = {path, text, size, error, error_size};
  ReadReport *report = calloc(1, sizeof *report);
  if (!report) complain(&reading, ": out of memory");
  if (report) report->root = json_file_parse(path, text, size, AGAIN, error, error_size);
  bool good = report && report->root && check_format(&reading, report->root) &&
              check_shape(&reading, report->root) && check_complete(&reading, report->root) &&
              take_clauses(&reading, report) && take_cases(&reading, report);
  if (!good) {
    report_read_free(report);
    return NULL;
  }
  take_head(report);
  return report;
}

ReadReport *report_read(const char *path, char *error, size_t error_size)
{
  size_t size;
  char *text = json_file_load(path, FILE_SIZE_MAX, &size, error, error_size);
  if (!text) return NULL;
  ReadReport *report = report_read_text(path, text, size, error, error_size);
  free(text);
  return report;
}

void report_read_free(ReadReport *report)
{
  if (!report) return;
  json_decref(report->clauses);
  json_decref(report->ids);
  json_decref(report->root);
  free(report->cases);
  free(report);
}
