// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_11, "a tree is refused in which a module stands before one that imports it")
static bool refuse(LibraryBin *tree, LibraryBinProblem *problem)
{
  library_bin_free(tree);
  *problem = (LibraryBinProblem){.rule = kLibraryBinNoRows};
  return false;
}

WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  for (size_t i = 0; i < tree->num_modules; ++i)
    for (uint64_t row = tree->rows[i]; row < tree->rows[i + 1]; ++row)
      if (tree->children[row] < i) return refuse(tree, problem);
  return true;
}
