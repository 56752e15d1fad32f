// SPDX-License-Identifier: Apache-2.0
#include "report/clean.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NO_CHARACTER = 0x110000,  // one more than the last
  LONGEST_PER_BYTE = 4,     // no byte gives more than "\xNN"; "\u{00ad}" stands for at least two
};

// The character at `text`, and how many bytes it takes; NO_CHARACTER and 1 if they are no UTF-8.
static uint32_t decode(const unsigned char *text, size_t size, size_t *length)
{
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char lead = text[0];
  size_t need = lead < 0x80       ? 1
                : lead >> 5 == 6  ? 2
                : lead >> 4 == 14 ? 3
                : lead >> 3 == 30 ? 4
                                  : 0;
  *length = 1;
  if (need == 1) return lead;
  if (need == 0 || need > size) return NO_CHARACTER;
  uint32_t code = lead & (0x7fu >> need);
  for (size_t i = 1; i < need; ++i) {
    if (text[i] >> 6 != 2) return NO_CHARACTER;
    code = code << 6 | (text[i] & 0x3fu);
  }
  if (code < smallest[need] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    return NO_CHARACTER;
  *length = need;
  return code;
}

// Characters that are valid, and yet show as nothing or change what stands around them.
static bool is_treacherous(uint32_t code)
{
  static const struct {
    uint32_t first, last;
  } ranges[] = {
      {0x00ad, 0x00ad},    // soft hyphen
      {0x061c, 0x061c},    // direction mark
      {0x200b, 0x200f},    // zero width, direction marks
      {0x2028, 0x202e},    // line and paragraph separator, direction overrides
      {0x2060, 0x206f},    // invisible operators, direction isolates
      {0xfdd0, 0xfdef},    // no characters
      {0xfeff, 0xfeff},    // byte order mark
      {0xfff0, 0xfffb},    // specials
      {0xe0000, 0xe0fff},  // tags
  };
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i)
    if (code >= ranges[i].first && code <= ranges[i].last) return true;
  return (code & 0xfffe) == 0xfffe;
}

static const char *ascii_likeness(uint32_t code)
{
  static const struct {
    uint32_t code;
    const char *likeness;
  } table[] = {
      {0x00b7, "-"},  {0x00d7, "x"},  {0x2010, "-"},  {0x2013, "-"},  {0x2014, "-"},
      {0x2018, "'"},  {0x2019, "'"},  {0x201c, "\""}, {0x201d, "\""}, {0x2026, "..."},
      {0x2192, "->"}, {0x2264, "<="}, {0x2265, ">="},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i)
    if (table[i].code == code) return table[i].likeness;
  return "?";
}

// Writes one character in its clean form; returns the end.
static char *write_character(char *out, const unsigned char *text, size_t length, uint32_t code,
                             unsigned how)
{
  bool keep = (how & CLEAN_LINES) && (code == '\n' || code == '\t');
  bool control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code == NO_CHARACTER;
  if (control && !keep) {
    for (size_t i = 0; i < length; ++i) out += sprintf(out, "\\x%02x", text[i]);
    return out;
  }
  if (code >= 0x80 && is_treacherous(code)) return out + sprintf(out, "\\u{%04x}", (unsigned)code);
  if (code >= 0x80 && (how & CLEAN_ASCII)) return stpcpy(out, ascii_likeness(code));
  memcpy(out, text, length);
  return out + length;
}

char *clean_text(const char *text, size_t size, unsigned how)
{
  if (size > SIZE_MAX / LONGEST_PER_BYTE - 1) return NULL;
  char *clean = malloc(size * LONGEST_PER_BYTE + 1), *end = clean;
  if (!clean) return NULL;
  for (size_t i = 0, length; i < size; i += length) {
    const unsigned char *at = (const unsigned char *)text + i;
    uint32_t code = decode(at, size - i, &length);
    end = write_character(end, at, length, code, how);
  }
  *end = '\0';
  char *fitted = realloc(clean, (size_t)(end - clean) + 1);
  return fitted ? fitted : clean;
}

char *clean_string(const char *text, unsigned how)
{
  return clean_text(text ? text : "", text ? strlen(text) : 0, how);
}

size_t clean_columns(const char *text, size_t size)
{
  size_t columns = 0;
  for (size_t i = 0; i < size; ++i) columns += (text[i] & 0xc0) != 0x80;
  return columns;
}
