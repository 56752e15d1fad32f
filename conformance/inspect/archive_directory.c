// SPDX-License-Identifier: Apache-2.0
#include "inspect/archive_directory.h"

#include <string.h>

// Sizes of records and places in them, as PKWARE's APPNOTE.TXT has them (4.3.14 to 4.3.16).
enum {
  END_SIZE = 22,
  END_DIRECTORY_OFFSET = 16,
  LOCATOR_SIZE = 20,
  LOCATOR_END64_OFFSET = 8,
  END64_SIZE = 56,
  END64_DIRECTORY_OFFSET = 48,
  // libarchive looks for the end record in so many bytes; both have to find the same one.
  SEARCHED = 16 * 1024,
};

static uint64_t number(const unsigned char *at, unsigned width)
{
  uint64_t value = 0;
  for (unsigned i = width; i-- > 0;) value = value << 8 | at[i];
  return value;
}

static bool find_end(const unsigned char *bytes, uint64_t size, uint64_t *end)
{
  uint64_t searched = size < SEARCHED ? size : SEARCHED;
  for (uint64_t back = END_SIZE; back <= searched; ++back) {
    if (memcmp(bytes + size - back, "PK\5\6", 4) != 0) continue;
    *end = size - back;
    return true;
  }
  return false;
}

bool archive_directory_size(const unsigned char *bytes, uint64_t size, uint64_t *directory,
                            uint64_t *end)
{
  if (!find_end(bytes, size, end)) return false;
  uint64_t begin = number(bytes + *end + END_DIRECTORY_OFFSET, 4);
  const unsigned char *locator = *end >= LOCATOR_SIZE ? bytes + *end - LOCATOR_SIZE : NULL;
  if (locator != NULL && memcmp(locator, "PK\6\7", 4) == 0) {
    uint64_t end64 = number(locator + LOCATOR_END64_OFFSET, 8);
    if (end64 > *end || *end - end64 < END64_SIZE) return false;
    uint64_t begin64 = number(bytes + end64 + END64_DIRECTORY_OFFSET, 8);
    if (begin == UINT32_MAX || begin64 < begin) begin = begin64;
  }
  if (begin > *end) return false;
  *directory = *end - begin;
  return true;
}
