// SPDX-License-Identifier: Apache-2.0
#include "inspect/json_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOBODY_MS = 2000, SILENCE_MS = 60000 };

// --- Bytes ---------------------------------------------------------------------------------------

// Waits until a pipe has something, or its writer is gone. False, with errno, if neither happens.
static bool wait_for_writer(int descriptor, int limit_ms)
{
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
  int ready = poll(&wanted, 1, limit_ms);
  if (ready == 0) errno = ETIMEDOUT;
  return ready > 0;
}

// What read() says of a descriptor that does not block; of a pipe, once there is something to say.
static ssize_t read_some(int descriptor, char *bytes, size_t room, bool is_first)
{
  ssize_t count = read(descriptor, bytes, room);
  // A pipe that nobody has opened for writing reads as if it were at its end.
  if (count == 0 && is_first) {
    if (!wait_for_writer(descriptor, NOBODY_MS)) return -1;
    count = read(descriptor, bytes, room);
  }
  while (count < 0 && errno == EAGAIN) {
    if (!wait_for_writer(descriptor, SILENCE_MS)) return -1;
    count = read(descriptor, bytes, room);
  }
  return count;
}

// What the file has, up to `most` + 1 bytes and a NUL (own); NULL, with errno, if it can't be had.
// Room is made as it is needed: most files are far from the largest.
static char *read_all(int descriptor, size_t most, size_t *size)
{
  size_t room = 1 << 15;
  char *bytes = malloc(room + 1);
  *size = 0;
  while (bytes && *size <= most) {
    ssize_t count = read_some(descriptor, bytes + *size, room - *size, *size == 0);
    if (count < 0) {
      free(bytes);
      return NULL;
    }
    if (count == 0) break;
    *size += (size_t)count;
    if (*size < room || *size > most) continue;
    room = room <= most / 2 ? 2 * room : most + 1;
    char *grown = realloc(bytes, room + 1);
    if (!grown) free(bytes);
    bytes = grown;
  }
  if (bytes) bytes[*size] = '\0';
  return bytes;
}

static const char *reason(int error)
{
  return error == ETIMEDOUT ? "the pipe has no writer" : strerror(error);
}

char *json_file_load(const char *path, size_t most, size_t *size, char *error, size_t error_size)
{
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  char *bytes = descriptor >= 0 ? read_all(descriptor, most, size) : NULL;
  int why = errno;
  if (descriptor >= 0) close(descriptor);
  if (bytes && *size <= most) return bytes;
  if (bytes)
    snprintf(error, error_size, "%s: is larger than %zu %s (the limit)", path,
             most >> 20 ? most >> 20 : most >> 10, most >> 20 ? "MiB" : "KiB");
  else if (why == ENOMEM)
    snprintf(error, error_size, "%s: out of memory", path);
  else
    snprintf(error, error_size, "%s: %s", *path ? path : "''", reason(why));
  free(bytes);
  return NULL;
}

// --- Values --------------------------------------------------------------------------------------

static bool is_packed(const char *text, size_t size)
{
  return size >= 2 && memcmp(text, "\x1f\x8b", 2) == 0;
}

static bool is_blank(const char *text, size_t size)
{
  while (size > 0 && memchr(" \t\r\n", text[size - 1], 4)) --size;
  return size == 0;
}

// Whether the last character of the text lacks bytes that its first one announces.
static bool ends_within_character(const char *text, size_t size)
{
  for (size_t back = 1; back <= 3 && back <= size; ++back) {
    unsigned char byte = (unsigned char)text[size - back];
    if (byte >= 0xc0) return byte < 0xf8 && back < (byte < 0xe0 ? 2u : byte < 0xf0 ? 3u : 4u);
    if (byte < 0x80) return false;
  }
  return false;
}

// Whether a text is no JSON because its end is missing: also within a character, or within a word
// such as true.
static bool is_cut_short(const char *text, size_t size, json_error_t *mistake)
{
  size_t position = (size_t)mistake->position;
  switch (json_error_code(mistake)) {
    case json_error_premature_end_of_input:
      return true;
    case json_error_invalid_utf8:
      return position + 4 > size && ends_within_character(text, size);
    case json_error_invalid_syntax:
      return position >= size && memchr("[{", *text, 2) && !memchr("]}", text[size - 1], 2);
    default:
      return false;
  }
}

const char *json_file_quote(const char *text, char shown[JSON_FILE_QUOTE_SIZE])
{
  size_t length = strnlen(text, JSON_FILE_QUOTE_SIZE - 1);
  for (size_t i = 0; i < length; ++i) shown[i] = text[i] >= 0x20 && text[i] < 0x7f ? text[i] : '?';
  shown[length] = '\0';
  return shown;
}

typedef struct JsonText {
  const char *path, *text;
  size_t size;
} JsonText;

static void describe(const JsonText *given, json_error_t *mistake, const char *advice, char *error,
                     size_t error_size)
{
  const char *path = given->path;
  char shown[JSON_FILE_QUOTE_SIZE];
  const char *open = advice ? " (" : "", *close = advice ? ")" : "";
  if (!advice) advice = "";
  if (is_packed(given->text, given->size))
    snprintf(error, error_size, "%s: is compressed with gzip (gunzip -k unpacks it)", path);
  else if (is_blank(given->text, given->size))
    snprintf(error, error_size, "%s: is empty%s%s%s", path, open, advice, close);
  else if (json_error_code(mistake) == json_error_out_of_memory)
    snprintf(error, error_size, "%s: out of memory", path);
  else if (is_cut_short(given->text, given->size, mistake))
    snprintf(error, error_size, "%s:%d:%d: the file is truncated%s%s%s", path, mistake->line,
             mistake->column, open, advice, close);
  else
    snprintf(error, error_size, "%s:%d:%d: not JSON: %s%s%s%s", path, mistake->line,
             mistake->column, json_file_quote(mistake->text, shown), open, advice, close);
}

static json_t *parse(const JsonText *text, size_t flags, const char *advice, char *error,
                     size_t error_size)
{
  json_error_t mistake;
  json_t *root = json_loadb(text->text, text->size, JSON_REJECT_DUPLICATES | flags, &mistake);
  if (!root) describe(text, &mistake, advice, error, error_size);
  return root;
}

json_t *json_file_parse(const char *path, const char *text, size_t size, const char *advice,
                        char *error, size_t error_size)
{
  return parse(&(JsonText){path, text, size}, 0, advice, error, error_size);
}

json_t *json_file_parse_nuls(const char *path, const char *text, size_t size, char *error,
                             size_t error_size)
{
  return parse(&(JsonText){path, text, size}, JSON_ALLOW_NUL, NULL, error, error_size);
}
