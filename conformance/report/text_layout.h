// SPDX-License-Identifier: Apache-2.0
// Lines, labels, wrapping and colours of the text report.
#ifndef TVMFFI_CONFORMANCE_REPORT_TEXT_LAYOUT_H_
#define TVMFFI_CONFORMANCE_REPORT_TEXT_LAYOUT_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report/report.h"

enum { TEXT_INDENT = 6, TEXT_LABEL = 14, TEXT_COLUMN = TEXT_INDENT + TEXT_LABEL };

typedef enum TextPaint {
  PAINT_NONE,
  PAINT_GOOD,
  PAINT_BAD,
  PAINT_WARN,
  PAINT_FAINT,
  PAINT_STRONG
} TextPaint;

// The escape sequence that begins a colour, or "" if the style has none; PAINT_NONE ends all.
const char *text_paint(const TextStyle *style, TextPaint paint);

// How text has to be cleaned for the style, CLEAN_LINES not included.
unsigned text_cleaning(const TextStyle *style);

// `text`, cleaned, as it is: no wrapping, no end of line.
void text_print(FILE *out, const TextStyle *style, const char *text, size_t size);

// A labelled field: the label at TEXT_INDENT ("" for a continuation), `text` cleaned and wrapped
// from TEXT_COLUMN on; line feeds in it begin new lines.
void text_field(FILE *out, const TextStyle *style, const char *label, const char *text,
                size_t size);

// The same for words that are not the report's: each line begins with a bar, so that none can be
// taken for ours.
void text_quote(FILE *out, const TextStyle *style, const char *label, const char *text,
                size_t size);

// `text`, cleaned and wrapped from TEXT_INDENT on.
void text_block(FILE *out, const TextStyle *style, const char *text, size_t size);

// "FAIL  left ... right", the right part ending at the right edge. `left` is clean ASCII, as is
// `right`.
void text_title(FILE *out, const TextStyle *style, TextPaint paint, const char *label,
                const char *left, const char *right);

// "0.9 s", "12 ms", "3 min 20 s".
const char *text_duration(uint64_t ns, char text[32]);

#endif  // TVMFFI_CONFORMANCE_REPORT_TEXT_LAYOUT_H_
