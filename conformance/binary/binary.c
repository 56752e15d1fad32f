// SPDX-License-Identifier: Apache-2.0
#include "binary/binary.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool binary_problem(BinaryProblem *problem, const char *format, ...)
{
  if (problem->text[0] || problem->no_memory) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(problem->text, sizeof problem->text, format, arguments);
  va_end(arguments);
  return false;
}

bool binary_no_memory(BinaryProblem *problem)
{
  problem->no_memory = true;
  return false;
}

bool binary_broken(const BinaryBytes *bytes, const char *what)
{
  return binary_problem(bytes->problem, "%s (build or copy it again)", what);
}

bool binary_holds(const BinaryBytes *bytes, uint64_t offset, uint64_t length)
{
  return offset <= bytes->size && length <= bytes->size - offset;
}

bool binary_needs(const BinaryBytes *bytes, uint64_t offset, uint64_t length, const char *what)
{
  if (binary_holds(bytes, offset, length)) return true;
  return binary_problem(bytes->problem,
                        "is truncated or damaged: %s (%" PRIu64 " bytes at %" PRIu64
                        ") end behind the file's %" PRIu64 " bytes (build or copy it again)",
                        what, length, offset, bytes->size);
}

uint64_t binary_number(const BinaryBytes *bytes, uint64_t offset, unsigned width)
{
  if (!binary_holds(bytes, offset, width)) return 0;
  uint64_t number = 0;
  const unsigned char *at = bytes->data + offset;
  for (unsigned i = 0; i < width; ++i) {
    number = number << 8 | at[bytes->big_endian ? i : width - 1 - i];
  }
  return number;
}

BinaryText binary_text(const BinaryBytes *bytes, uint64_t offset, uint64_t end)
{
  if (end > bytes->size) end = bytes->size;
  if (offset >= end) return (BinaryText){"", 0};
  const char *data = (const char *)bytes->data + offset;
  uint64_t most = end - offset < BINARY_LONGEST_TEXT ? end - offset : BINARY_LONGEST_TEXT;
  return (BinaryText){data, strnlen(data, (size_t)most)};
}

bool binary_uleb128(const BinaryBytes *bytes, uint64_t *at, uint64_t end, uint64_t *value)
{
  uint64_t number = 0;
  if (end > bytes->size) end = bytes->size;
  for (unsigned shift = 0; *at < end; shift += 7) {
    unsigned char byte = bytes->data[(*at)++];
    uint64_t part = byte & 0x7f;
    if (shift >= 64 ? part != 0 : part << shift >> shift != part) return false;
    if (shift < 64) number |= part << shift;
    if (byte & 0x80) continue;
    *value = number;
    return true;
  }
  return false;
}

void *binary_grow(void *items, size_t count, size_t size, BinaryProblem *problem)
{
  if (items && (count & (count - 1))) return items;  // room is doubled at powers of two
  size_t room = count ? 2 * count : 1;
  void *grown = realloc(items, room * size);
  if (!grown) binary_no_memory(problem);
  return grown;
}

static bool same_bytes(const char *left, const char *right, size_t size)
{
  return size == 0 || memcmp(left, right, size) == 0;
}

bool binary_text_is(BinaryText text, const char *other)
{
  return text.size == strlen(other) && same_bytes(text.data, other, text.size);
}

bool binary_text_begins(BinaryText text, const char *prefix)
{
  size_t length = strlen(prefix);
  return text.size >= length && same_bytes(text.data, prefix, length);
}

bool binary_text_ends(BinaryText text, const char *suffix)
{
  size_t length = strlen(suffix);
  if (text.size < length) return false;
  return length == 0 || same_bytes(text.data + (text.size - length), suffix, length);
}

bool binary_text_has(BinaryText text, const char *part)
{
  if (text.size == 0) return *part == '\0';
  return memmem(text.data, text.size, part, strlen(part)) != NULL;
}

bool binary_text_same(BinaryText left, BinaryText right)
{
  return left.size == right.size && same_bytes(left.data, right.data, left.size);
}

const char *binary_text_find(BinaryText text, char letter)
{
  return text.size > 0 ? memchr(text.data, letter, text.size) : NULL;
}

char *binary_text_copy(BinaryText text)
{
  return strndup(text.size > 0 ? text.data : "", text.size);
}

int binary_text_compare(BinaryText left, BinaryText right)
{
  size_t shorter = left.size < right.size ? left.size : right.size;
  bool same = shorter == 0 || left.data == right.data;
  int order = same ? 0 : memcmp(left.data, right.data, shorter);
  return order != 0 ? order : (left.size > right.size) - (left.size < right.size);
}
