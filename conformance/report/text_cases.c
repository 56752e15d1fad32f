// SPDX-License-Identifier: Apache-2.0
#include "report/text_cases.h"

#include <stdlib.h>
#include <string.h>

#include "report/text_case.h"
#include "report/text_layout.h"

// In full, and of a section one line for each clause: what is behind them is counted, or named.
enum { FAILURES_IN_FULL = 40, CLAUSES_SHOWN = 24 };

typedef enum Section { SECTION_NONE, SECTION_WAIVED, SECTION_WARNED, SECTION_BAD } Section;

static Section section_of(const RunReport *report, const CaseResult *result)
{
  if (result->outcome.kind == OUTCOME_NOT_RUN) return SECTION_NONE;
  if (judge_counts_against(report, result)) return SECTION_BAD;
  switch (result->verdict) {
    case VERDICT_FAIL:
    case VERDICT_INCONCLUSIVE:
      return SECTION_WARNED;
    case VERDICT_XFAIL:
      return SECTION_WAIVED;
    default:
      return SECTION_NONE;
  }
}

// What is to be shown of one section, in the order in which it is.
typedef struct Showing {
  FILE *out;
  const TextStyle *style;
  const RunReport *report;
  size_t *items;  // own; places among the results
  bool *told;     // own; of each item: it was shown, or named with another
  size_t count;
} Showing;

// The clause that a case is shown under: the first of those that give it its level.
static ClauseId clause_of(const CaseInstance *instance)
{
  for (int i = 0; i < CASE_CLAUSES_MAX && instance->clauses[i] != CLAUSE_NONE; ++i)
    if (clause_get(instance->clauses[i])->level == instance->level) return instance->clauses[i];
  return instance->clauses[0];
}

static ClauseId clause_of_item(const Showing *showing, size_t item)
{
  return clause_of(showing->report->results[showing->items[item]].instance);
}

// --- What is alike -------------------------------------------------------------------------------

static bool same_text(const char *left, const char *right)
{
  return left == right || (left && right && strcmp(left, right) == 0);
}

// Each case has a waiver of its own, even where all of them say the same. Those that passed are
// told apart: each is to be taken out.
static bool waived_alike(const CaseResult *left, const CaseResult *right)
{
  const Waiver *a = left->waiver, *b = right->waiver;
  if (a == b) return true;
  return a && b && left->verdict == VERDICT_XFAIL && same_text(a->reason, b->reason) &&
         same_text(a->url, b->url) && same_text(a->expires, b->expires);
}

// What is shown once: runs of one case that ended alike and, unless each is asked for, rows of one
// case.
static bool is_alike(const TextStyle *style, const RunReport *report, size_t left, size_t right)
{
  const CaseResult *a = &report->results[left], *b = &report->results[right];
  if (a->verdict != b->verdict || a->fail_kind != b->fail_kind) return false;
  if (a->instance == b->instance) return true;
  bool has_kin = a->instance->row || a->instance->kernel;
  return style->verbosity <= 0 && has_kin && a->instance->test == b->instance->test &&
         waived_alike(a, b) && strcmp(a->reason, b->reason) == 0;
}

// How one row of a case is told from another, as its id has it: "of-two-words", "none@add_one",
// "@add_one".
static void put_row_name(FILE *out, const CaseInstance *instance)
{
  char base[CASE_ID_MAX];
  if (instance->kernel) {
    const char *name = instance->id + strlen(case_base_id(instance, base));
    fputs(name + (*name == '.'), out);
    return;
  }
  for (const char *c = *(const char *const *)instance->row; *c; ++c)
    fputc(*c == '_' ? '-' : *c, out);
}

static bool is_repeated(const RunReport *report)
{
  return report->selection && report->selection->repeat > 1;
}

// Whether no run of the same case, with the same verdict, stands before it.
static bool is_first_of_its_instance(const Showing *showing, size_t item)
{
  const CaseResult *results = showing->report->results, *result = &results[showing->items[item]];
  for (size_t i = 0; is_repeated(showing->report) && i < item; ++i)
    if (results[showing->items[i]].instance == result->instance &&
        results[showing->items[i]].verdict == result->verdict)
      return false;
  return true;
}

// Names of the other rows that ended as this one did; they count as told. Own; NULL if there are
// none.
static char *name_other_rows(Showing *showing, size_t item)
{
  enum { NAMES_MAX = 12 };
  const RunReport *report = showing->report;
  size_t size = 0, count = 0, place = showing->items[item];
  char *names = NULL;
  FILE *out = open_memstream(&names, &size);
  if (!out) return NULL;
  for (size_t i = item + 1; i < showing->count; ++i) {
    const CaseInstance *other = report->results[showing->items[i]].instance;
    if (!is_alike(showing->style, report, place, showing->items[i])) continue;
    showing->told[i] = true;
    if (other == report->results[place].instance || !is_first_of_its_instance(showing, i)) continue;
    if (count++ >= NAMES_MAX) continue;
    fputs(count > 1 ? ", " : "", out);
    put_row_name(out, other);
  }
  if (count > NAMES_MAX) fprintf(out, " and %zu more", count - NAMES_MAX);
  if (count) fputs(" (-v shows each)", out);
  if (fclose(out) == 0 && count) return names;
  free(names);
  return NULL;
}

// --- In full -------------------------------------------------------------------------------------

static void show_case(Showing *showing, size_t item, bool clause_is_told)
{
  const RunReport *report = showing->report;
  size_t index = showing->items[item];
  const CaseResult *result = &report->results[index];
  TextKin kin = {.turns = 1,
                 .all_turns = 1,
                 .rows = name_other_rows(showing, item),
                 .clause_is_told = clause_is_told};
  if (is_repeated(report)) {
    kin.turns = kin.all_turns = 0;
    for (size_t i = 0; i < report->result_count; ++i) {
      if (report->results[i].instance != result->instance) continue;
      kin.turns += is_alike(showing->style, report, index, i);
      ++kin.all_turns;
    }
  }
  showing->told[item] = true;
  text_case(showing->out, showing->style, report, result, &kin);
  free(kin.rows);
}

// The cases of a clause follow the first one of it. At most `most` are shown.
static void show_in_full(Showing *showing, size_t most)
{
  size_t shown = 0;
  for (size_t i = 0; i < showing->count && shown < most; ++i) {
    if (showing->told[i]) continue;
    const ClauseId clause = clause_of_item(showing, i);
    ClauseId quoted = CLAUSE_NONE;  // with its text, by the case before
    for (size_t k = i; k < showing->count && shown < most; ++k) {
      if (showing->told[k] || clause_of_item(showing, k) != clause) continue;
      ClauseId first = showing->report->results[showing->items[k]].instance->clauses[0];
      show_case(showing, k, first == quoted);
      quoted = first;
      ++shown;
    }
  }
}

// --- A line for each clause ----------------------------------------------------------------------

// Of a clause, the cases that were not told.
typedef struct ClauseLine {
  size_t cases, crashed, exited, timed_out, no_verdict;
} ClauseLine;

static void count_result(ClauseLine *line, const CaseResult *result)
{
  ++line->cases;
  line->crashed += result->fail_kind == FAIL_CRASH;
  line->exited += result->fail_kind == FAIL_EXIT;
  line->timed_out += result->fail_kind == FAIL_TIMEOUT;
  line->no_verdict += result->verdict == VERDICT_INCONCLUSIVE;
}

// " (3 cases, 2 crashed)", or nothing for one that simply failed.
static void write_counts(FILE *out, const Showing *showing, const ClauseLine *line)
{
  const struct {
    size_t count;
    const char *what;
  } counts[] = {{line->crashed, "crashed"},
                {line->exited, "exited"},
                {line->timed_out, "timed out"},
                {line->no_verdict, "inconclusive"}};
  const char *before = "  (", *after = "";
  if (line->cases > 1) {
    fprintf(out, "%s%zu %s", before, line->cases, is_repeated(showing->report) ? "runs" : "cases");
    before = ", ";
    after = ")";
  }
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
    if (!counts[i].count) continue;
    fputs(before, out);
    if (line->cases > 1) fprintf(out, "%zu ", counts[i].count);
    fputs(counts[i].what, out);
    before = ", ";
    after = ")";
  }
  fputs(after, out);
}

// The clauses from the strictest level on, each level in the order of the spec.
static void write_clause_lines(Showing *showing, const ClauseLine lines[CLAUSE_COUNT])
{
  FILE *out = showing->out;
  size_t shown = 0, more = 0;
  char *names = NULL;
  size_t size = 0;
  FILE *rest = open_memstream(&names, &size);
  for (int level = CLAUSE_MUST; level <= CLAUSE_UNSPECIFIED; ++level) {
    for (unsigned id = 1; id < CLAUSE_COUNT; ++id) {
      const Clause *clause = clause_get((ClauseId)id);
      if (!lines[id].cases || (int)clause->level != level) continue;
      if (shown++ < CLAUSES_SHOWN) {
        fprintf(out, "  %-10s %-9s %s", clause_level_name(clause->level), clause->id,
                clause->title);
        write_counts(out, showing, &lines[id]);
        fputc('\n', out);
      } else if (rest) {
        fprintf(rest, "%s%s", more++ ? ", " : "", clause->id);
      }
    }
  }
  if (rest && fclose(rest) == 0 && more) {
    char *text = NULL;
    int length = asprintf(&text, "and %zu more: %s", more, names);
    if (length > 0) text_block(out, showing->style, text, (size_t)length);
    free(text);
  }
  free(names);
}

static void show_clauses(Showing *showing, TextPaint paint, const char *what)
{
  ClauseLine *lines = calloc(CLAUSE_COUNT, sizeof *lines);
  size_t cases = 0, clauses = 0;
  for (size_t i = 0; lines && i < showing->count; ++i) {
    if (showing->told[i]) continue;
    ClauseLine *line = &lines[clause_of_item(showing, i)];
    clauses += line->cases == 0;
    count_result(line, &showing->report->results[showing->items[i]]);
    ++cases;
  }
  if (cases) {
    fprintf(showing->out, "%s%zu %s%s, %zu clause%s (-v shows each):\n",
            text_paint(showing->style, paint), cases, what, text_paint(showing->style, PAINT_NONE),
            clauses, clauses == 1 ? "" : "s");
    write_clause_lines(showing, lines);
    fputc('\n', showing->out);
  }
  free(lines);
}

// --- Sections ------------------------------------------------------------------------------------

// What is left of a section behind the first `most` in full is shown by its clauses.
static void show_section(FILE *out, const TextStyle *style, const RunReport *report,
                         Section section, size_t most)
{
  static const struct {
    TextPaint paint;
    const char *what;
  } names[] = {[SECTION_WAIVED] = {PAINT_FAINT, "waived"},
               [SECTION_WARNED] = {PAINT_WARN, "warned"},
               [SECTION_BAD] = {PAINT_BAD, "more failed"}};
  Showing showing = {.out = out, .style = style, .report = report};
  showing.items = calloc(report->result_count + 1, sizeof *showing.items);
  showing.told = calloc(report->result_count + 1, sizeof *showing.told);
  for (size_t i = 0; showing.items && showing.told && i < report->result_count; ++i)
    if (section_of(report, &report->results[i]) == section) showing.items[showing.count++] = i;
  show_in_full(&showing, style->verbosity > 0 ? SIZE_MAX : most);
  show_clauses(&showing, names[section].paint, names[section].what);
  free(showing.items);
  free(showing.told);
}

void text_failures(FILE *out, const TextStyle *style, const RunReport *report)
{
  show_section(out, style, report, SECTION_BAD, FAILURES_IN_FULL);
  for (size_t i = 0; i < report->unmatched_count; ++i) {
    static const char text[] =
        "the waiver matches no case that was run (the case does not apply to this library)";
    text_title(out, style, PAINT_BAD, "STALE", report->unmatched[i]->case_id, "");
    text_block(out, style, text, strlen(text));
    fputc('\n', out);
  }
}

void text_warnings(FILE *out, const TextStyle *style, const RunReport *report)
{
  show_section(out, style, report, SECTION_WARNED, 0);
  show_section(out, style, report, SECTION_WAIVED, 0);
}
