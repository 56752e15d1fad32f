// SPDX-License-Identifier: Apache-2.0
// The text of `diff`.
#include <stdlib.h>
#include <string.h>

#include "report/clean.h"
#include "report/report_diff.h"
#include "report/text_layout.h"

// Of the cases that are merely new or gone, as many are named unless all are asked for.
enum { NAMED = 20, COLUMNS_OF_ID = 64, COLUMNS_OF_LABEL = 7 };

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static void print(FILE *out, const TextStyle *style, const char *text)
{
  text_print(out, style, text, strlen(text));
}

static void write_side(FILE *out, const TextStyle *style, const char *label, const char *path,
                       const ReadReport *report)
{
  fprintf(out, "%s%-*s%s", text_paint(style, PAINT_FAINT), TEXT_INDENT, label,
          text_paint(style, PAINT_NONE));
  print(out, style, path);
  fputs("   ", out);
  print(out, style, report->library);
  fprintf(out, " %s, %s profile, %zu case%s%s\n", report->version ? report->version : "(unknown)",
          report->profile, report->case_count, report->case_count == 1 ? "" : "s",
          report->partial ? ", partial" : "");
}

// --- Regressions ---------------------------------------------------------------------------------

static void write_title(FILE *out, const TextStyle *style, const ReadCase *one)
{
  char right[160];
  const json_t *clauses = json_object_get(one->raw, "clauses");
  int used = snprintf(right, sizeof right, "%s ", clause_level_name(one->level));
  for (size_t i = 0; i < json_array_size(clauses) && i < CASE_CLAUSES_MAX; ++i)
    used += snprintf(right + used, sizeof right - (size_t)used, " %.16s",
                     json_string_value(json_array_get(clauses, i)));
  char *id = clean_string(one->id, text_cleaning(style));
  text_title(out, style, PAINT_BAD, "WORSE", id ? id : "(out of memory)", right);
  free(id);
}

// The first clause with its text, the others by their titles, as the new report has them.
static void write_spec(FILE *out, const TextStyle *style, const ReadReport *report,
                       const ReadCase *one)
{
  size_t index;
  json_t *id;
  json_array_foreach(json_object_get(one->raw, "clauses"), index, id)
  {
    const json_t *clause = json_object_get(report->clauses, json_string_value(id));
    char *text = NULL;
    int length = index == 0
                     ? asprintf(&text, "%s.\n%s", text_of(clause, "title"), text_of(clause, "text"))
                     : asprintf(&text, "%s: %s.", text_of(clause, "id"), text_of(clause, "title"));
    if (length < 0) continue;
    text_field(out, style, index == 0 ? "clause" : "also", text, (size_t)length);
    free(text);
  }
}

static void write_field(FILE *out, const TextStyle *style, const char *label, const char *text)
{
  if (text[0]) text_field(out, style, label, text, strlen(text));
}

// The first of what did not hold now.
static void write_evidence(FILE *out, const TextStyle *style, const ReadCase *one)
{
  const json_t *failure = json_array_get(json_object_get(one->raw, "evidence"), 0);
  write_field(out, style, "", text_of(one->raw, "reason"));
  if (!failure) return;
  write_field(out, style, "what", text_of(failure, "what"));
  write_field(out, style, "expected", text_of(failure, "expected"));
  write_field(out, style, "actual", text_of(failure, "seen"));
  write_field(out, style, "at", text_of(failure, "note"));
}

static void write_regression(FILE *out, const TextStyle *style, const ReportDiff *diff,
                             const DiffChange *change)
{
  write_title(out, style, change->now);
  write_field(out, style, "case", text_of(change->now->raw, "title"));
  write_spec(out, style, diff->new, change->now);
  write_field(out, style, "before",
              change->was ? judge_verdict_name(change->was->verdict) : "absent");
  write_field(out, style, "now", judge_verdict_name(change->now->verdict));
  write_evidence(out, style, change->now);
  fputc('\n', out);
}

// --- Other changes -------------------------------------------------------------------------------

static const struct {
  const char *label;
  TextPaint paint;
} looks[DIFF_KINDS] = {{"WORSE", PAINT_BAD},
                       {"BETTER", PAINT_GOOD},
                       {"NEW", PAINT_FAINT},
                       {"GONE", PAINT_WARN},
                       {"RACING", PAINT_FAINT}};

static const char *verdict_name(const ReadCase *one)
{
  return one ? judge_verdict_name(one->verdict) : "-";
}

static void write_line(FILE *out, const TextStyle *style, const DiffChange *change)
{
  const ReadCase *shown = change->now ? change->now : change->was;
  char *id = clean_string(shown->id, text_cleaning(style));
  const char *name = id ? id : "(out of memory)";
  size_t columns = clean_columns(name, strlen(name));
  fprintf(out, "%s%-*s%s%s", text_paint(style, looks[change->kind].paint), COLUMNS_OF_LABEL,
          looks[change->kind].label, text_paint(style, PAINT_NONE), name);
  // What follows an id that is too long for its column stands in a line of its own.
  if (columns > COLUMNS_OF_ID)
    fprintf(out, "\n%*s", COLUMNS_OF_LABEL + COLUMNS_OF_ID, "");
  else
    fprintf(out, "%*s", (int)(COLUMNS_OF_ID - columns), "");
  fprintf(out, " %-9s %s -> %s\n", clause_level_name(shown->level), verdict_name(change->was),
          verdict_name(change->now));
  free(id);
}

static void write_kind(FILE *out, const TextStyle *style, const ReportDiff *diff, DiffKind kind)
{
  size_t named = 0, all = diff->by_kind[kind];
  bool all_named = kind == DIFF_FIX || kind == DIFF_RACING;
  size_t most = all_named || style->verbosity > 0 ? all : NAMED;
  for (size_t i = 0; i < diff->count && named < most; ++i) {
    if (diff->changes[i].kind != kind) continue;
    write_line(out, style, &diff->changes[i]);
    ++named;
  }
  if (all > named) fprintf(out, "       and %zu more; -v names all\n", all - named);
  if (all > 0) fputc('\n', out);
}

// A change of it, or what stands on both sides unless only that is asked for. Nothing of reports
// that do not tell it.
static void write_standings(FILE *out, const TextStyle *style, const ReportDiff *diff)
{
  const ReadReport *old = diff->old, *new = diff->new;
  if (!old->has_standing || !new->has_standing) return;
  bool changed = old->standing != new->standing;
  if (!changed && style->verbosity < 0) return;
  fprintf(out, "standing %s: ", changed ? "changed" : "unchanged");
  if (changed) fprintf(out, "%s -> ", verdict_standing_head(old->standing));
  TextPaint paint = !changed                                     ? PAINT_NONE
                    : new->standing == STANDING_CONFORMS         ? PAINT_GOOD
                    : new->standing == STANDING_DOES_NOT_CONFORM ? PAINT_BAD
                                                                 : PAINT_WARN;
  fprintf(out, "%s%s%s\n", text_paint(style, paint), verdict_standing_head(new->standing),
          text_paint(style, PAINT_NONE));
}

static void write_summary(FILE *out, const TextStyle *style, const ReportDiff *diff)
{
  size_t worse = diff->by_kind[DIFF_REGRESSION], better = diff->by_kind[DIFF_FIX];
  fprintf(out, "%s%zu regression%s%s, %zu fix%s, %zu new, %zu gone, %zu unchanged",
          text_paint(style, worse ? PAINT_BAD : PAINT_GOOD), worse, worse == 1 ? "" : "s",
          text_paint(style, PAINT_NONE), better, better == 1 ? "" : "es", diff->by_kind[DIFF_NEW],
          diff->by_kind[DIFF_GONE], diff->same);
  size_t racing = diff->by_kind[DIFF_RACING];
  if (racing > 0) fprintf(out, ", %zu in cases that race, which do not count", racing);
  fputc('\n', out);
}

void report_diff_text(FILE *out, const TextStyle *style, const ReportDiff *diff,
                      const char *old_path, const char *new_path)
{
  if (style->verbosity >= 0) {
    write_side(out, style, "old", old_path, diff->old);
    write_side(out, style, "new", new_path, diff->new);
    fputc('\n', out);
    for (size_t i = 0; i < diff->count; ++i)
      if (diff->changes[i].kind == DIFF_REGRESSION)
        write_regression(out, style, diff, &diff->changes[i]);
    for (int kind = DIFF_FIX; kind < DIFF_KINDS; ++kind)
      write_kind(out, style, diff, (DiffKind)kind);
  }
  write_standings(out, style, diff);
  write_summary(out, style, diff);
}
