// SPDX-License-Identifier: Apache-2.0
#include "battery/utf8.h"

// Bytes that the sequence at `bytes` has, 0 if it is none.
static size_t sequence_length(const unsigned char *bytes, size_t left)
{
  unsigned char first = bytes[0];
  size_t length = first < 0x80   ? 1
                  : first < 0xc2 ? 0
                  : first < 0xe0 ? 2
                  : first < 0xf0 ? 3
                  : first < 0xf5 ? 4
                                 : 0;
  if (length == 0 || length > left) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((bytes[i] & 0xc0) != 0x80) return 0;
  if (first == 0xe0 && bytes[1] < 0xa0) return 0;
  if (first == 0xed && bytes[1] > 0x9f) return 0;
  if (first == 0xf0 && bytes[1] < 0x90) return 0;
  if (first == 0xf4 && bytes[1] > 0x8f) return 0;
  return length;
}

bool is_utf8(const char *bytes, size_t size)
{
  for (size_t at = 0; at < size;) {
    size_t length = sequence_length((const unsigned char *)bytes + at, size - at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}
