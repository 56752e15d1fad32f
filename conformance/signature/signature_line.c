// SPDX-License-Identifier: Apache-2.0
#include "signature/signature_line.h"

#include <stdarg.h>
#include <stdio.h>

void signature_say(SignatureLine *line, const char *format, ...)
{
  size_t room = line->capacity - line->size;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line->text + line->size, room, format, arguments);
  va_end(arguments);
  if (length > 0) line->size += (size_t)length < room ? (size_t)length : room - 1;
}
