// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_json.h"

#include <string.h>

#include "kernel/kernel_result.h"

typedef struct Cursor {
  const char *at, *end;
} Cursor;

static void skip_space(Cursor *cursor)
{
  while (cursor->at < cursor->end && memchr(" \t\r\n", *cursor->at, 4)) ++cursor->at;
}

static bool take(Cursor *cursor, char wanted)
{
  skip_space(cursor);
  if (cursor->at == cursor->end || *cursor->at != wanted) return false;
  ++cursor->at;
  return true;
}

static int hex_of(char digit)
{
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

// The four digits of an escape; -1 if they are none.
static int take_code(Cursor *cursor)
{
  int code = 0;
  if (cursor->end - cursor->at < 4) return -1;
  for (int i = 0; i < 4; ++i) {
    int digit = hex_of(*cursor->at++);
    if (digit < 0) return -1;
    code = code * 16 + digit;
  }
  return code;
}

// Behind the first half of a surrogate pair: its second half.
static bool take_second_half(Cursor *cursor)
{
  if (cursor->end - cursor->at < 6 || memcmp(cursor->at, "\\u", 2) != 0) return false;
  cursor->at += 2;
  int code = take_code(cursor);
  return code >= 0xdc00 && code < 0xe000;
}

// The character of an escape behind its backslash; -1 if it is none, as half a surrogate pair is.
static int take_escape(Cursor *cursor)
{
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  if (cursor->at == cursor->end) return -1;
  char name = *cursor->at++;
  const char *known = name ? strchr(names, name) : NULL;
  if (known) return (unsigned char)values[known - names];
  int code = name == 'u' ? take_code(cursor) : -1;
  if (code >= 0xdc00 && code < 0xe000) return -1;
  if (code >= 0xd800 && code < 0xdc00 && !take_second_half(cursor)) return -1;
  return code < 0x80 ? code : '?';
}

// A string; its text goes to `out`, unless that is NULL.
static bool take_string(Cursor *cursor, char *out, size_t *length)
{
  size_t count = 0;
  if (!take(cursor, '"')) return false;
  const char *first = cursor->at;
  while (cursor->at < cursor->end && *cursor->at != '"') {
    int letter = (unsigned char)*cursor->at++;
    if (letter < 0x20) return false;
    if (letter == '\\') letter = take_escape(cursor);
    if (letter < 0) return false;
    if (out) out[count] = (char)letter;
    ++count;
  }
  if (length) *length = count;
  return is_utf8(first, (size_t)(cursor->at - first)) && take(cursor, '"');
}

static bool take_digits(Cursor *cursor)
{
  const char *first = cursor->at;
  while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') ++cursor->at;
  return cursor->at > first;
}

static bool take_letter(Cursor *cursor, const char *letters)
{
  if (cursor->at == cursor->end || !memchr(letters, *cursor->at, strlen(letters))) return false;
  ++cursor->at;
  return true;
}

static bool take_number(Cursor *cursor)
{
  take_letter(cursor, "-");
  const char *first = cursor->at;
  if (!take_digits(cursor) || (*first == '0' && cursor->at > first + 1)) return false;
  if (take_letter(cursor, ".") && !take_digits(cursor)) return false;
  if (!take_letter(cursor, "eE")) return true;
  take_letter(cursor, "+-");
  return take_digits(cursor);
}

static bool take_word(Cursor *cursor, const char *word)
{
  size_t size = strlen(word);
  if ((size_t)(cursor->end - cursor->at) < size || memcmp(cursor->at, word, size) != 0)
    return false;
  cursor->at += size;
  return true;
}

static bool take_plain(Cursor *cursor)
{
  skip_space(cursor);
  if (cursor->at == cursor->end) return false;
  if (*cursor->at == '"') return take_string(cursor, NULL, NULL);
  if (*cursor->at == 't') return take_word(cursor, "true");
  if (*cursor->at == 'f') return take_word(cursor, "false");
  if (*cursor->at == 'n') return take_word(cursor, "null");
  return take_number(cursor);
}

static bool take_key(Cursor *cursor, char closing)
{
  return closing != '}' || (take_string(cursor, NULL, NULL) && take(cursor, ':'));
}

// Behind a value: what it ends is closed. True if another value must follow.
static bool close_all(Cursor *cursor, const char *open, size_t *depth, bool *wrong)
{
  while (*depth > 0) {
    if (take(cursor, ',')) {
      *wrong = !take_key(cursor, open[*depth - 1]);
      return !*wrong;
    }
    *wrong = !take(cursor, open[*depth - 1]);
    if (*wrong) return false;
    --*depth;
  }
  return false;
}

// One value, with a stack of what must close it.
static bool take_value(Cursor *cursor)
{
  char open[KERNEL_JSON_DEPTH_MAX - 1];
  size_t depth = 0;
  bool wrong = false;
  for (;;) {
    char closing = take(cursor, '{') ? '}' : take(cursor, '[') ? ']' : 0;
    if (closing && !take(cursor, closing)) {
      if (depth == sizeof open) return false;
      open[depth++] = closing;
      if (!take_key(cursor, closing)) return false;
      continue;
    }
    if (!closing && !take_plain(cursor)) return false;
    if (!close_all(cursor, open, &depth, &wrong)) return !wrong;
  }
}

bool kernel_json_is_document(const char *bytes, size_t size)
{
  Cursor cursor = {bytes, bytes + size};
  if (!take_value(&cursor)) return false;
  skip_space(&cursor);
  return cursor.at == cursor.end;
}

KernelJsonMember kernel_json_member(const char *bytes, size_t size, const char *key, char *out,
                                    size_t *length)
{
  Cursor cursor = {bytes, bytes + size}, last = {NULL, NULL};
  if (!take(&cursor, '{')) return KERNEL_JSON_ABSENT;
  do {
    if (!take_string(&cursor, out, length) || !take(&cursor, ':')) break;
    if (*length == strlen(key) && memcmp(out, key, *length) == 0) last = cursor;
    if (!take_value(&cursor)) break;
  } while (take(&cursor, ','));
  if (!last.at) return KERNEL_JSON_ABSENT;
  return take_string(&last, out, length) ? KERNEL_JSON_STRING : KERNEL_JSON_OTHER;
}
