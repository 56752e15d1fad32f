// SPDX-License-Identifier: Apache-2.0
#include "report/text_layout.h"

#include <stdlib.h>
#include <string.h>

#include "report/clean.h"

enum { NARROWEST = 63, WIDEST = 120 };

const char *text_paint(const TextStyle *style, TextPaint paint)
{
  static const char *const sequences[] = {
      [PAINT_NONE] = "\033[0m",    [PAINT_GOOD] = "\033[32m", [PAINT_BAD] = "\033[1;31m",
      [PAINT_WARN] = "\033[1;33m", [PAINT_FAINT] = "\033[2m", [PAINT_STRONG] = "\033[1m",
  };
  return style->color ? sequences[paint] : "";
}

unsigned text_cleaning(const TextStyle *style)
{
  return style->utf8 ? 0 : CLEAN_ASCII;
}

// Columns to fill, within reason whatever the terminal says.
static size_t text_width(const TextStyle *style)
{
  if (style->columns <= 0) return 100;
  return style->columns < NARROWEST ? NARROWEST
         : style->columns > WIDEST  ? WIDEST
                                    : (size_t)style->columns;
}

void text_print(FILE *out, const TextStyle *style, const char *text, size_t size)
{
  char *clean = clean_text(text, size, text_cleaning(style));
  fputs(clean ? clean : "(out of memory)", out);
  free(clean);
}

// The bytes of the first `columns` characters of a line.
static size_t bytes_of_columns(const char *line, size_t length, size_t columns)
{
  size_t i = 0;
  for (; i < length; ++i)
    if ((line[i] & 0xc0) != 0x80 && columns-- == 0) break;
  return i;
}

// How much of a line fits into `columns`: up to the last space that lets it fit, or cut within a
// long word.
static size_t fitting(const char *line, size_t length, size_t columns)
{
  size_t most = bytes_of_columns(line, length, columns);
  if (most == length) return length;
  size_t cut = most;
  while (cut > 0 && line[cut] != ' ') --cut;
  return cut > 0 ? cut : most;
}

// Where the lines of a field go: label and column of the first, column of the others, `prefix`
// before each.
typedef struct Frame {
  const char *label, *prefix;
  size_t column;
} Frame;

static void write_lead(FILE *out, const TextStyle *style, const Frame *frame, bool first)
{
  const char *label = first ? frame->label : "";
  int padding = (int)(frame->column - TEXT_INDENT);
  if (label[0])
    fprintf(out, "%*s%s%-*s%s", TEXT_INDENT, "", text_paint(style, PAINT_FAINT), padding, label,
            text_paint(style, PAINT_NONE));
  else
    fprintf(out, "%*s", (int)frame->column, "");
  fputs(frame->prefix, out);
}

static void write_wrapped(FILE *out, const TextStyle *style, const Frame *frame, const char *text)
{
  size_t columns = text_width(style) - frame->column - strlen(frame->prefix);
  const char *line = text;
  do {
    size_t length = strcspn(line, "\n"), done = 0;
    do {
      size_t piece = fitting(line + done, length - done, columns);
      if (length > 0 || frame->prefix[0] || line == text)
        write_lead(out, style, frame, line == text && done == 0);
      fprintf(out, "%.*s\n", (int)piece, line + done);
      done += piece;
      while (done < length && line[done] == ' ') ++done;
    } while (done < length);
    line += length + (line[length] == '\n');
  } while (*line);
}

static void write_cleaned(FILE *out, const TextStyle *style, const Frame *frame, const char *text,
                          size_t size)
{
  char *clean = clean_text(text, size, text_cleaning(style) | CLEAN_LINES);
  for (char *c = clean; c && *c; ++c)
    if (*c == '\t') *c = ' ';
  write_wrapped(out, style, frame, clean ? clean : "(out of memory)");
  free(clean);
}

void text_field(FILE *out, const TextStyle *style, const char *label, const char *text, size_t size)
{
  write_cleaned(out, style, &(Frame){label, "", TEXT_COLUMN}, text, size);
}

void text_quote(FILE *out, const TextStyle *style, const char *label, const char *text, size_t size)
{
  write_cleaned(out, style, &(Frame){label, "| ", TEXT_COLUMN}, text, size);
}

void text_block(FILE *out, const TextStyle *style, const char *text, size_t size)
{
  write_cleaned(out, style, &(Frame){"", "", TEXT_INDENT}, text, size);
}

void text_title(FILE *out, const TextStyle *style, TextPaint paint, const char *label,
                const char *left, const char *right)
{
  size_t used = TEXT_INDENT + strlen(left), width = text_width(style);
  size_t gap = used + strlen(right) + 2 <= width ? width - used - strlen(right) : 2;
  const char *end = text_paint(style, PAINT_NONE);
  fprintf(out, "%s%-*s%s%s%s%s", text_paint(style, paint), TEXT_INDENT, label, end,
          text_paint(style, PAINT_STRONG), left, end);
  if (right[0]) fprintf(out, "%*s%s", (int)gap, "", right);
  fputc('\n', out);
}

const char *text_duration(uint64_t ns, char text[32])
{
  unsigned long long ms = ns / 1000000, seconds = ns / 1000000000;
  if (ms < 100)
    snprintf(text, 32, "%llu ms", ms);
  else if (seconds < 120)
    snprintf(text, 32, "%.1f s", (double)ns / 1e9);
  else
    snprintf(text, 32, "%llu min %llu s", seconds / 60, seconds % 60);
  return text;
}
