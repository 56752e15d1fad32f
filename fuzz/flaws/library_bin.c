// SPDX-License-Identifier: Apache-2.0
#include "library_bin.h"

#include "flaw.h"

static void change_tree(LibraryBin *tree, size_t size)
{
  uint64_t *rows = (uint64_t *)(uintptr_t)tree->rows;
  uint64_t *children = (uint64_t *)(uintptr_t)tree->children;
  LibraryBinEntry *entry = (LibraryBinEntry *)(uintptr_t)tree->entries;
  if (flaw("first-row")) rows[0] = 1;
  if (flaw("row-falls") && tree->num_modules > 1) rows[1] = tree->num_children + 1;
  if (flaw("last-row")) rows[tree->num_modules] += 1;
  if (flaw("child-range") && tree->num_children != 0) children[0] = tree->num_modules;
  if (flaw("kind-outside")) entry->kind.data += size;
  if (flaw("value-outside") && !entry->is_library) entry->value.data += size;
  if (flaw("value-cut") && !entry->is_library && entry->value.size != 0) --entry->value.size;
  if (flaw("entry-changed")) entry->is_library = !entry->is_library;
}

WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  bool read = REAL(library_bin_read)(bytes, size, tree, problem);
  if (read) change_tree(tree, size);
  if (!read && flaw("other-rule")) problem->rule = kLibraryBinCountCut;
  if (!read && flaw("other-place") && problem->offset != 0) --problem->offset;
  if (!read && flaw("no-rule")) problem->rule = kLibraryBinOk;
  if (!read && flaw("unknown-rule")) problem->rule = kLibraryBinNumRules;
  if (!read && flaw("offset-outside")) problem->offset = size + 1;
  return read;
}

WRAP(size_t, library_bin_size, const LibraryBin *tree)
{
  size_t size = REAL(library_bin_size)(tree);
  if (flaw("size-unknown")) return 0;
  return flaw("size-too-large") ? size + 1 : size;
}

WRAP(void, library_bin_write, const LibraryBin *tree, void *bytes)
{
  REAL(library_bin_write)(tree, bytes);
  if (flaw("other-byte")) ((unsigned char *)bytes)[REAL(library_bin_size)(tree) - 1] ^= 1;
}

WRAP(int, library_bin_explain, const LibraryBinProblem *problem, char *text, size_t size)
{
  int length = REAL(library_bin_explain)(problem, text, size);
  if (flaw("two-lines")) text[length / 2] = '\n';
  if (flaw("sentence-cut")) return (int)size;
  return flaw("no-sentence") ? 0 : length;
}
