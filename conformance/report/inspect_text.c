// SPDX-License-Identifier: Apache-2.0
#include "report/inspect_report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/clean.h"
#include "report/inspect_line.h"
#include "report/text_layout.h"

const char *inspect_text_size(uint64_t size, char text[32])
{
  if (size == 1) return strcpy(text, "1 byte");
  static const char *const units[] = {"bytes", "kB", "MB", "GB"};
  double value = (double)size;
  unsigned unit = 0;
  for (; value >= 1000 && unit < 3; ++unit) value /= 1000;
  snprintf(text, 32, unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

const char *inspect_text_version(uint32_t version, int parts, char text[16])
{
  abi_version_text(version, text);
  if (parts == 2 && ABI_VERSION_PATCH(version) == 0) *strrchr(text, '.') = '\0';
  return text;
}

void inspect_text_file(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  if (style->verbosity >= 0) inspect_text_facts(out, style, subject);
  if (style->verbosity >= 0) inspect_text_blob(out, style, subject);
  inspect_text_findings(out, style, subject);
}

void inspect_text_unreadable(FILE *out, const TextStyle *style, const char *name, const char *text)
{
  fprintf(out, "%stvmffi-conform: ", text_paint(style, PAINT_BAD));
  text_print(out, style, *name ? name : "''", *name ? strlen(name) : 2);
  fprintf(out, ": %s", text_paint(style, PAINT_NONE));
  text_print(out, style, text, strlen(text));
  fputc('\n', out);
}

static void count(InspectLine *line, size_t number, const char *one, const char *many)
{
  if (number > 0) inspect_line_add(line, ", %zu %s", number, number == 1 ? one : many);
}

void inspect_text_totals(FILE *out, const TextStyle *style, const InspectTotals *totals)
{
  InspectLine line = {0};
  inspect_line_add(&line, "%zu file%s inspected", totals->files, totals->files == 1 ? "" : "s");
  count(&line, totals->errors, "error", "errors");
  count(&line, totals->warnings, "warning", "warnings");
  count(&line, totals->notes, "note", "notes");
  size_t found = totals->errors + totals->warnings + totals->notes;
  if (found == 0 && totals->files > 0) inspect_line_add(&line, ", nothing found");
  if (totals->places > found) inspect_line_add(&line, ", in %zu places", totals->places);
  count(&line, totals->unknown, "with unknown profile", "with unknown profile");
  count(&line, totals->unreadable, "not readable", "not readable");
  TextPaint paint = totals->errors || totals->unreadable ? PAINT_BAD
                    : totals->warnings                   ? PAINT_WARN
                                                         : PAINT_GOOD;
  fprintf(out, "%s%s%s\n", text_paint(style, paint), line.text ? line.text : "",
          text_paint(style, PAINT_NONE));
  free(line.text);
}
