// SPDX-License-Identifier: Apache-2.0
// Findings for people: each kind once, with the symbols it is about.
#include <stdlib.h>
#include <string.h>

#include "report/inspect_line.h"
#include "report/inspect_report.h"
#include "report/text_layout.h"

enum { SYMBOLS_SHOWN = 5 };

static void title(FILE *out, const TextStyle *style, const InspectFinding *finding)
{
  static const TextPaint paints[] = {PAINT_NONE, PAINT_FAINT, PAINT_WARN, PAINT_BAD};
  static const char *const labels[] = {"", "note", "WARN", "ERROR"};
  text_title(out, style, paints[finding->level], labels[finding->level],
             inspect_finding_kinds[finding->id].id, inspect_finding_kinds[finding->id].clause);
}

static void write_one(FILE *out, const TextStyle *style, const InspectFinding *finding, bool first)
{
  InspectLine line = {0};
  inspect_line_add_text(&line, finding->symbol);
  if (finding->detail[0]) {
    inspect_line_add(&line, "%s%s", finding->symbol.size ? ": " : "", finding->detail);
  }
  if (line.size > 0) text_field(out, style, first ? "found" : "", line.text, line.size);
  free(line.text);
}

static void write_kind(FILE *out, const TextStyle *style, const InspectFindings *findings,
                       size_t begin, size_t end)
{
  const InspectFinding *first = &findings->items[begin];
  const InspectFindingKind *kind = &inspect_finding_kinds[first->id];
  size_t count = end - begin, total = count + findings->unstored[first->id];
  size_t most = style->verbosity > 0 ? count : SYMBOLS_SHOWN;
  title(out, style, first);
  text_field(out, style, "what", kind->what, strlen(kind->what));
  for (size_t i = 0; i < count && i < most; ++i) {
    write_one(out, style, &findings->items[begin + i], i == 0);
  }
  if (total > most) {
    char text[64];
    int size = snprintf(text, sizeof text, "... %zu more", total - most);
    text_field(out, style, "", text, (size_t)size);
  }
  text_field(out, style, "why", kind->source, strlen(kind->source));
  text_field(out, style, "fix", kind->remedy, strlen(kind->remedy));
  if (first->reason) text_quote(out, style, "policy", first->reason, strlen(first->reason));
}

static void write_short(FILE *out, const TextStyle *style, const InspectSubject *subject,
                        const InspectFinding *finding)
{
  text_print(out, style, subject->name, strlen(subject->name));
  fprintf(out, ": %s: %s: %s", inspect_level_name(finding->level),
          inspect_finding_kinds[finding->id].id, inspect_finding_kinds[finding->id].what);
  fputs(finding->symbol.size ? ": " : "", out);
  text_print(out, style, finding->symbol.data, finding->symbol.size);
  fputc('\n', out);
}

void inspect_text_findings(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  const InspectFindings *findings = &subject->findings;
  for (size_t i = 0, end; i < findings->count; i = end) {
    const InspectFinding *first = &findings->items[i];
    for (end = i + 1; end < findings->count; ++end) {
      if (findings->items[end].id != first->id || findings->items[end].level != first->level) break;
    }
    if (first->level == INSPECT_LEVEL_NONE) continue;
    if (style->verbosity < 0) {
      if (first->level >= INSPECT_LEVEL_WARNING) write_short(out, style, subject, first);
    } else {
      write_kind(out, style, findings, i, end);
    }
  }
  if (style->verbosity >= 0) fputc('\n', out);
}
