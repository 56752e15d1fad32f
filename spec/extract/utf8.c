// SPDX-License-Identifier: Apache-2.0
#include "utf8.h"

#include <stdint.h>

static bool continues(unsigned char byte)
{
  return (byte & 0xc0) == 0x80;
}

// The length of the well-formed sequence at the beginning of `bytes`, 0 if there is none.
static size_t sequence_length(const unsigned char *bytes, size_t size)
{
  static const struct {
    unsigned char mask, lead;
    uint32_t least;
  } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
  for (size_t length = 1; length <= 4 && length <= size; ++length) {
    if ((bytes[0] & forms[length - 1].mask) != forms[length - 1].lead) continue;
    uint32_t point = bytes[0] & (unsigned char)~forms[length - 1].mask;
    for (size_t i = 1; i < length; ++i) {
      if (!continues(bytes[i])) return 0;
      point = point << 6 | (bytes[i] & 0x3fu);
    }
    bool surrogate = point >= 0xd800 && point <= 0xdfff;
    return point >= forms[length - 1].least && point <= 0x10ffff && !surrogate ? length : 0;
  }
  return 0;
}

static bool is_control(const unsigned char *bytes, size_t size)
{
  if (bytes[0] == '\r') return size < 2 || bytes[1] != '\n';
  return (bytes[0] < 0x20 && bytes[0] != '\n' && bytes[0] != '\t') || bytes[0] == 0x7f;
}

bool utf8_is_text(const char *bytes, size_t size, int *line)
{
  const unsigned char *at = (const unsigned char *)bytes;
  *line = 1;
  while (size > 0) {
    size_t length = sequence_length(at, size);
    if (length == 0 || is_control(at, size)) return false;
    if (*at == '\n') ++*line;
    at += length;
    size -= length;
  }
  return true;
}

size_t utf8_cut(const char *bytes, size_t size, size_t limit)
{
  if (size <= limit) return size;
  while (limit > 0 && continues((unsigned char)bytes[limit])) --limit;
  return limit;
}
