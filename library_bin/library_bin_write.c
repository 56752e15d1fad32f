// SPDX-License-Identifier: Apache-2.0
// The writer.
#include <string.h>

#include "library_bin.h"

enum { WORD = 8 };  // bytes of a number

static LibraryBinBytes library_bin_kind(const LibraryBinEntry *entry)
{
  return entry->is_library ? (LibraryBinBytes){"_lib", 4} : entry->kind;
}

static bool library_bin_add(size_t *size, size_t more)
{
  return !__builtin_add_overflow(*size, more, size);
}

size_t library_bin_size(const LibraryBin *tree)
{
  size_t size = 4 * WORD, words;  // nbytes, both counts, and the first row
  if (__builtin_add_overflow(tree->num_modules, tree->num_children, &words) ||
      __builtin_mul_overflow(words, WORD, &words) || !library_bin_add(&size, words)) {
    return 0;
  }
  for (size_t i = 0; i < tree->num_modules; ++i) {
    const LibraryBinEntry *entry = &tree->entries[i];
    if (!library_bin_add(&size, WORD) || !library_bin_add(&size, library_bin_kind(entry).size))
      return 0;
    if (entry->is_library) continue;
    if (!library_bin_add(&size, WORD) || !library_bin_add(&size, entry->value.size)) return 0;
  }
  return size;
}

// These write and return where the next byte goes.

static char *library_bin_put_word(char *to, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  memcpy(to, &word, sizeof word);
  return to + sizeof word;
}

static char *library_bin_put_vector(char *to, const uint64_t *words, size_t count)
{
  to = library_bin_put_word(to, count);
  for (size_t i = 0; i < count; ++i) to = library_bin_put_word(to, words[i]);
  return to;
}

static char *library_bin_put_bytes(char *to, LibraryBinBytes bytes)
{
  to = library_bin_put_word(to, bytes.size);
  if (bytes.size != 0) memcpy(to, bytes.data, bytes.size);
  return to + bytes.size;
}

void library_bin_write(const LibraryBin *tree, void *bytes)
{
  char *to = library_bin_put_word(bytes, library_bin_size(tree) - WORD);
  to = library_bin_put_vector(to, tree->rows, tree->num_modules + 1);
  to = library_bin_put_vector(to, tree->children, tree->num_children);
  for (size_t i = 0; i < tree->num_modules; ++i) {
    const LibraryBinEntry *entry = &tree->entries[i];
    to = library_bin_put_bytes(to, library_bin_kind(entry));
    if (!entry->is_library) to = library_bin_put_bytes(to, entry->value);
  }
}
