// SPDX-License-Identifier: Apache-2.0
#include "frontend/writer.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/raise.h"

enum { WRITER_FIRST_ROOM = 128 };

static int writer_grow(Writer *writer, size_t size)
{
  size_t room = writer->room == 0 ? WRITER_FIRST_ROOM : writer->room * 2;
  if (size > WRITER_MAX) {
    return raise_error("ValueError", "the text is longer than ",
                       raise_number((int64_t)WRITER_MAX).text, " bytes", NULL);
  }
  while (room < size) room *= 2;
  char *grown = realloc(writer->data, room);
  if (grown == NULL) return raise_out_of_memory();
  writer->data = grown;
  writer->room = room;
  return 0;
}

char *writer_reserve(Writer *writer, size_t more)
{
  if (more > writer->room - writer->size) {
    if (more > WRITER_MAX) more = WRITER_MAX + 1;
    if (writer_grow(writer, writer->size + more) != 0) return NULL;
  }
  return writer->data + writer->size;
}

int writer_add(Writer *writer, const char *data, size_t size)
{
  if (size == 0) return 0;
  char *to = writer_reserve(writer, size);
  if (to == NULL) return -1;
  memcpy(to, data, size);
  writer->size += size;
  return 0;
}

int writer_add_text(Writer *writer, const char *text)
{
  return writer_add(writer, text, strlen(text));
}

int writer_add_indented(Writer *writer, TVMFFIByteArray lines)
{
  const char *at = lines.data, *end = lines.data + lines.size;
  while (at < end) {
    const char *next = memchr(at, '\n', (size_t)(end - at));
    next = next == NULL ? end : next + 1;
    if (writer_add_text(writer, "  ") != 0 || writer_add(writer, at, (size_t)(next - at)) != 0) {
      return -1;
    }
    at = next;
  }
  return 0;
}

int writer_finish(Writer *writer, TVMFFIAny *out)
{
  int code = bytes_make_string(writer->data, writer->size, out);
  writer_end(writer);
  return code;
}

void writer_end(Writer *writer)
{
  free(writer->data);
  *writer = (Writer){0};
}
