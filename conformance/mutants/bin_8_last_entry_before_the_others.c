// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_8, "behind the first entry the loaders run from the last to the second")
// Turns the entries behind the first around, with all that speaks of them.
static void turn(LibraryBin *tree)
{
  size_t count = tree->num_modules, at = 0;
  LibraryBinEntry *entries = malloc(count * sizeof *entries);
  uint64_t *rows = malloc((count + 1) * sizeof *rows);
  uint64_t *children = malloc((tree->num_children + 1) * sizeof *children);
  rows[0] = 0;
  for (size_t i = 0; i < count; ++i) {
    size_t old = i ? count - i : 0;
    entries[i] = tree->entries[old];
    for (uint64_t row = tree->rows[old]; row < tree->rows[old + 1]; ++row)
      children[at++] = tree->children[row] ? count - tree->children[row] : 0;
    rows[i + 1] = at;
  }
  memcpy((LibraryBinEntry *)tree->entries, entries, count * sizeof *entries);
  memcpy((uint64_t *)tree->rows, rows, (count + 1) * sizeof *rows);
  memcpy((uint64_t *)tree->children, children, at * sizeof *children);
  free(entries);
  free(rows);
  free(children);
}

WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  turn(tree);
  return true;
}
