// SPDX-License-Identifier: Apache-2.0
// Words for findings: the texts of checks.def with what they stand for filled in.
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "trace/trace.h"

typedef struct Text {
  char *out;
  size_t size, used;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text *text, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  size_t room = text->used < text->size ? text->size - text->used : 0;
  int length = vsnprintf(room ? text->out + text->used : NULL, room, format, arguments);
  va_end(arguments);
  if (length > 0) text->used += (size_t)length;
}

// What stands between { and }: a number with how it is shown, "v" or "s".
static void put_field(Text *text, const TraceFinding *finding, const char *field)
{
  char index[48];
  if (*field == 's') {
    put(text, "%s", finding->text);
  } else if (*field == 'v') {
    if (finding->numbers[0] < 0)
      put(text, "the result");
    else
      put(text, "argument %" PRId64, finding->numbers[0]);
  } else {
    int64_t number = finding->numbers[(*field - '0') % RING_NUMBERS];
    if (field[1] == 'x')
      put(text, "0x%" PRIx64, (uint64_t)number);
    else if (field[1] == 't')
      put(text, "%s", abi_type_index_text((int32_t)number, index));
    else
      put(text, "%" PRId64, number);
  }
}

size_t trace_describe(const TraceFinding *finding, char *out, size_t size)
{
  Text text = {out, size, 0};
  for (const char *c = checks[finding->check].text; *c; ++c) {
    if (*c == '{') {
      put_field(&text, finding, c + 1);
      c = strchr(c, '}');
    } else {
      put(&text, "%c", *c);
    }
  }
  return text.used;
}
