// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "report/facts.h"
#include "report/text_case.h"
#include "report/text_layout.h"

enum { VALUE_SIZE = 16, FAILURES_SHOWN = 3 };  // the rest on demand: one mistake often fails many

// The parts of a value stand apart: type index, padding or length, payload.
static const char *gap_after(size_t index)
{
  return index == VALUE_SIZE - 1 ? "" : index == 3 || index == 7 ? "  " : " ";
}

static bool is_wrong(const EvidenceFailure *failure, size_t index)
{
  return !failure->ignored_bytes[index] &&
         failure->expected_bytes[index] != failure->seen_bytes[index];
}

static void write_expected_bytes(FILE *out, const EvidenceFailure *failure)
{
  fprintf(out, "%*s", TEXT_COLUMN, "");
  for (size_t i = 0; i < VALUE_SIZE; ++i) {
    if (failure->ignored_bytes[i])
      fprintf(out, "..%s", gap_after(i));
    else
      fprintf(out, "%02x%s", failure->expected_bytes[i], gap_after(i));
  }
  fputc('\n', out);
}

static void write_seen_bytes(FILE *out, const TextStyle *style, const EvidenceFailure *failure)
{
  fprintf(out, "%*s", TEXT_COLUMN, "");
  for (size_t i = 0; i < VALUE_SIZE; ++i) {
    bool wrong = is_wrong(failure, i);
    fprintf(out, "%s%02x%s%s", wrong ? text_paint(style, PAINT_BAD) : "", failure->seen_bytes[i],
            wrong ? text_paint(style, PAINT_NONE) : "", gap_after(i));
  }
  fputc('\n', out);
}

static void write_marks(FILE *out, const TextStyle *style, const EvidenceFailure *failure)
{
  size_t last = VALUE_SIZE, pending = TEXT_COLUMN;
  while (last > 0 && !is_wrong(failure, last - 1)) --last;
  if (last == 0) return;
  fputs(text_paint(style, PAINT_BAD), out);
  for (size_t i = 0; i < last; ++i) {
    if (is_wrong(failure, i)) {
      fprintf(out, "%*s^^", (int)pending, "");
      pending = 0;
    } else {
      pending += 2;
    }
    pending += strlen(gap_after(i));
  }
  fprintf(out, "%s\n", text_paint(style, PAINT_NONE));
}

#define FIELD(label, array) \
  text_field(out, style, label, failure->array, strnlen(failure->array, sizeof failure->array))

static void write_failure(FILE *out, const TextStyle *style, const EvidenceFailure *failure)
{
  unsigned char has_bytes;  // a process that ran wild may have left more than 0 or 1 in it
  memcpy(&has_bytes, &failure->has_bytes, 1);
  if (failure->what[0]) FIELD("checked", what);
  FIELD("expected", expected);
  if (has_bytes) write_expected_bytes(out, failure);
  FIELD("actual", seen);
  if (has_bytes) {
    write_seen_bytes(out, style, failure);
    write_marks(out, style, failure);
  }
  char where[sizeof failure->note + sizeof failure->source + 8];
  int note = (int)strnlen(failure->note, sizeof failure->note);
  int source = (int)strnlen(failure->source, sizeof failure->source);
  if (note == 0 && source == 0) return;
  int length = snprintf(where, sizeof where, note && source ? "%.*s (%.*s)" : "%.*s%.*s", note,
                        failure->note, source, failure->source);
  text_field(out, style, "at", where, (size_t)length);
}

void text_evidence(FILE *out, const TextStyle *style, const Outcome *outcome)
{
  size_t kept = facts_failures(outcome), shown = kept;
  if (style->verbosity <= 0 && shown > FAILURES_SHOWN) shown = FAILURES_SHOWN;
  for (size_t i = 0; i < shown; ++i) write_failure(out, style, &outcome->evidence->failures[i]);
  if (outcome->failed <= shown) return;
  char more[80];
  unsigned rest = outcome->failed - (unsigned)shown;
  int length =
      snprintf(more, sizeof more, "%u %sexpectation%s failed%s", rest, shown ? "more " : "",
               rest == 1 ? "" : "s", shown < kept ? " (-v shows more)" : "");
  text_field(out, style, shown ? "more" : "actual", more, (size_t)length);
}
