// SPDX-License-Identifier: Apache-2.0
#include "report/inspect_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void inspect_line_add_text(InspectLine *line, ElfText text)
{
  char *grown = realloc(line->text, line->size + text.size + 1);
  if (!grown) {
    line->failed = true;
    return;
  }
  if (text.size > 0) memcpy(grown + line->size, text.data, text.size);
  line->text = grown;
  line->size += text.size;
  grown[line->size] = '\0';
}

void inspect_line_add(InspectLine *line, const char *format, ...)
{
  char *added = NULL;
  va_list arguments;
  va_start(arguments, format);
  int size = vasprintf(&added, format, arguments);
  va_end(arguments);
  if (size < 0) {
    line->failed = true;
    return;
  }
  inspect_line_add_text(line, (ElfText){added, (size_t)size});
  free(added);
}

void inspect_line_field(FILE *out, const TextStyle *style, const char *label, InspectLine *line)
{
  if (line->size > 0) text_field(out, style, label, line->text, line->size);
  free(line->text);
  *line = (InspectLine){0};
}
