// SPDX-License-Identifier: Apache-2.0
#include "report/text_functions.h"

#include <stdlib.h>
#include <string.h>

#include "report/functions.h"
#include "report/text_layout.h"

enum { FUNCTIONS_SHOWN = 5, LINES_SHOWN = 1, SIGNATURE_MAX = 400 };

static const char *dot(const TextStyle *style)
{
  return style->utf8 ? "\u00b7" : "-";
}

// --- All of them ---------------------------------------------------------------------------------

void text_origins(FILE *out, const RunReport *report)
{
  static const struct {
    const char *name, *words;
  } origins[] = {{"file", "the signature file"},     {"metadata", "metadata"},
                 {"arity error", "arity errors"},    {"message", "messages of errors"},
                 {"probing", "calls that probe it"}, {"nobody", NULL}};
  const KernelList *kernels = report->kernels;
  const char *before = "signatures: ";
  if (!kernels || !kernels->count) return;
  for (size_t k = 0; k < sizeof origins / sizeof origins[0]; ++k) {
    size_t known = 0;
    for (size_t i = 0; i < kernels->count; ++i) {
      FunctionFacts facts = {.kernel = &kernels->items[i],
                             .signature = kernel_list_signature(kernels, i)};
      known += strcmp(functions_origin(&facts), origins[k].name) == 0;
    }
    if (!known) continue;
    if (origins[k].words)
      fprintf(out, "%s%zu from %s", before, known, origins[k].words);
    else
      fprintf(out, "%s%zu unknown", before, known);
    before = ", ";
  }
  fputc('\n', out);
  if (report->sharing)
    fprintf(
        out,
        "time is shared: %u of %zu functions are tried in full; of the others no SHOULD, and no "
        "calls that nobody promised (--in-full=0)\n",
        report->selection->in_full, report->sharing);
}

// --- One -----------------------------------------------------------------------------------------

static bool has_line(const FunctionFacts *facts)
{
  for (size_t i = 0; i < facts->unjudged_count; ++i)
    if (facts->unjudged[i].line[0]) return true;
  return false;
}

static bool has_bad_cases(const FunctionFacts *facts)
{
  return facts->failed || facts->inconclusive || facts->warned;
}

// A line would have more of it judged, or a case of it failed, and there are others that did not.
static bool is_worth_a_word(const FunctionFacts *facts, size_t functions)
{
  return has_line(facts) || (functions > 1 && has_bad_cases(facts));
}

static const TextPaint paints[] = {
    [TRIED_IS_GOOD] = PAINT_GOOD, [TRIED_IS_OPEN] = PAINT_FAINT, [TRIED_IS_BAD] = PAINT_BAD};

static void write_tried_table(FILE *out, const TextStyle *style, const FunctionFacts *facts)
{
  for (size_t i = 0; i < facts->tried_count; ++i) {
    const EvidenceTried *tried = &facts->tried[i];
    fprintf(out, "%*s%-9s%s%-9s%s", TEXT_COLUMN, "", functions_promise_name(tried),
            text_paint(style, paints[functions_mark(tried)]), functions_end_name(tried),
            text_paint(style, PAINT_NONE));
    if (tried->times > 1)
      fprintf(out, "%4ux  ", tried->times);
    else
      fputs("       ", out);
    text_print(out, style, tried->what, strnlen(tried->what, sizeof tried->what));
    fputc('\n', out);
  }
}

static void write_tried(FILE *out, const TextStyle *style, const FunctionFacts *facts)
{
  size_t marks[TRIED_IS_BAD + 1] = {0};
  char text[160];
  if (!facts->tried_count) return;
  for (size_t i = 0; i < facts->tried_count; ++i) ++marks[functions_mark(&facts->tried[i])];
  int length =
      snprintf(text, sizeof text, "%zu combination%s: %zu as it must be",
               facts->tried_count + facts->tried_more,
               facts->tried_count + facts->tried_more == 1 ? "" : "s", marks[TRIED_IS_GOOD]);
  if (marks[TRIED_IS_BAD])
    length += snprintf(text + length, sizeof text - (size_t)length, " %s %zu not", dot(style),
                       marks[TRIED_IS_BAD]);
  if (marks[TRIED_IS_OPEN])
    length += snprintf(text + length, sizeof text - (size_t)length, " %s %zu not judged",
                       dot(style), marks[TRIED_IS_OPEN]);
  if (facts->tried_more)
    length += snprintf(text + length, sizeof text - (size_t)length, " %s %zu not kept", dot(style),
                       facts->tried_more);
  text_field(out, style, "tried", text, (size_t)length);
  if (style->verbosity > 0) write_tried_table(out, style, facts);
}

// With -v each line of the signature file that would tell more, and what none would; else the first.
static void write_unjudged(FILE *out, const TextStyle *style, const FunctionFacts *facts)
{
  size_t shown = 0, left = 0;
  for (size_t i = 0; i < facts->unjudged_count; ++i) {
    const FunctionUnjudged *unjudged = &facts->unjudged[i];
    char text[sizeof unjudged->why + sizeof unjudged->line + 40];
    if (style->verbosity <= 0 && (!unjudged->line[0] || shown >= LINES_SHOWN)) {
      left += unjudged->line[0] != '\0';
      continue;
    }
    int length = unjudged->line[0]
                     ? snprintf(text, sizeof text, "%s  (%zu: %s)", unjudged->line, unjudged->count,
                                unjudged->why)
                     : snprintf(text, sizeof text, "%zu: %s", unjudged->count, unjudged->why);
    text_field(out, style, unjudged->line[0] ? "would tell" : "not judged", text, (size_t)length);
    ++shown;
  }
  if (left) fprintf(out, "%*s%zu more line%s (-v)\n", TEXT_COLUMN, "", left, left == 1 ? "" : "s");
}

static void write_function(FILE *out, const TextStyle *style, const FunctionFacts *facts)
{
  const struct {
    size_t cases;
    const char *what;
  } others[] = {
      {facts->failed, "failed"}, {facts->inconclusive, "inconclusive"}, {facts->warned, "warned"}};
  char text[SIGNATURE_MAX], counts[128];
  functions_signature(facts, text, sizeof text);
  fputs("  ", out);
  text_print(out, style, text, strlen(text));
  fputc('\n', out);
  int length = snprintf(counts, sizeof counts, "%zu passed", facts->passed);
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (others[i].cases)
      length += snprintf(counts + length, sizeof counts - (size_t)length, ", %zu %s",
                         others[i].cases, others[i].what);
  text_field(out, style, "cases", counts, (size_t)length);
  write_tried(out, style, facts);
  write_unjudged(out, style, facts);
}

// Whether the same is to be said of both, but for their names.
static bool is_alike(const FunctionFacts *a, const FunctionFacts *b)
{
  char one[SIGNATURE_MAX], other[SIGNATURE_MAX];
  if (a->passed != b->passed || a->failed != b->failed || a->inconclusive != b->inconclusive ||
      a->warned != b->warned || a->tried_count != b->tried_count ||
      a->tried_more != b->tried_more || a->unjudged_count != b->unjudged_count)
    return false;
  for (size_t i = 0; i < a->unjudged_count; ++i)
    if (a->unjudged[i].count != b->unjudged[i].count ||
        strcmp(a->unjudged[i].why, b->unjudged[i].why) != 0)
      return false;
  functions_signature(a, one, sizeof one);
  functions_signature(b, other, sizeof other);
  return strcmp(one + strcspn(one, "("), other + strcspn(other, "(")) == 0;
}

// Writes how many of those behind `first` are like it, marks them as told, and returns how many.
static size_t write_alike(FILE *out, const TextStyle *style, const FunctionFacts *functions,
                          size_t first, size_t count, bool *told)
{
  enum { NAMED = 3 };
  char text[NAMED * KERNEL_LABEL_MAX + 64] = "", label[KERNEL_LABEL_MAX];
  size_t alike = 0, used = 0;
  for (size_t i = first + 1; i < count; ++i) {
    if (told[i] || !is_alike(&functions[first], &functions[i])) continue;
    told[i] = true;
    if (alike++ < NAMED)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", alike > 1 ? ", " : "",
                               kernel_label(functions[i].kernel, label));
  }
  if (alike > NAMED) snprintf(text + used, sizeof text - used, " and %zu more", alike - NAMED);
  if (alike) text_field(out, style, "also", text, strlen(text));
  return alike;
}

// Something of it failed, or much of it was not judged: it comes before the others.
static bool is_urgent(const FunctionFacts *facts)
{
  for (size_t i = 0; i < facts->unjudged_count; ++i)
    if (facts->unjudged[i].line[0] && facts->unjudged[i].count > 1) return true;
  return has_bad_cases(facts);
}

static void write_functions(FILE *out, const TextStyle *style, const FunctionFacts *functions,
                            size_t count, bool *told)
{
  size_t worth = 0, shown = 0, named = 0;
  bool all = style->verbosity > 0;
  for (size_t i = 0; i < count; ++i) worth += is_worth_a_word(&functions[i], count);
  for (size_t turn = 0; turn < 2 * count; ++turn) {
    const FunctionFacts *facts = &functions[turn % count];
    bool due = is_urgent(facts) == (turn < count);
    if (told[turn % count] || (all ? turn < count : !due) ||
        (!all && (!is_worth_a_word(facts, count) || shown >= FUNCTIONS_SHOWN)))
      continue;
    if (!shown++) fputs("functions:\n", out);
    write_function(out, style, facts);
    ++named;
    if (!all) named += write_alike(out, style, functions, turn % count, count, told);
  }
  if (style->verbosity <= 0 && worth > named)
    fprintf(out, "  and %zu more (-v shows each)\n", worth - named);
  if (shown) fputc('\n', out);
}

void text_functions(FILE *out, const TextStyle *style, const RunReport *report)
{
  FunctionFacts *functions = functions_of(report);
  if (!functions) return;
  size_t count = report->kernels->count;
  bool *told = calloc(count, sizeof *told);
  if (told) write_functions(out, style, functions, count, told);
  free(told);
  functions_free(functions, report);
}
