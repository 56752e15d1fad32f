// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_9, "a module imports its children from the last to the first")
WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  uint64_t *children = (uint64_t *)tree->children;
  for (size_t i = 0; i < tree->num_modules; ++i)
    for (uint64_t first = tree->rows[i], last = tree->rows[i + 1]; first + 1 < last;
         ++first, --last) {
      uint64_t child = children[first];
      children[first] = children[last - 1];
      children[last - 1] = child;
    }
  return true;
}
