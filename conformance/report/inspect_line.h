// SPDX-License-Identifier: Apache-2.0
// A line of text that grows.
#ifndef TVMFFI_CONFORMANCE_REPORT_INSPECT_LINE_H_
#define TVMFFI_CONFORMANCE_REPORT_INSPECT_LINE_H_

#include <stdbool.h>
#include <stddef.h>

#include "inspect/elffile.h"
#include "report/text_layout.h"

typedef struct InspectLine {
  char *text;  // own, by free(); NULL until something is added
  size_t size;
  bool failed;  // memory was out: the line is shorter than it should be
} InspectLine;

__attribute__((format(printf, 2, 3))) void inspect_line_add(InspectLine *line, const char *format,
                                                            ...);

// Writes the line, if anything was added to it, behind a label, and empties it.
void inspect_line_field(FILE *out, const TextStyle *style, const char *label, InspectLine *line);

// Bytes of a file, as they are: whoever prints the line cleans it.
void inspect_line_add_text(InspectLine *line, ElfText text);

#endif  // TVMFFI_CONFORMANCE_REPORT_INSPECT_LINE_H_
