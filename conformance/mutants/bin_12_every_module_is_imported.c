// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_12, "a tree is refused with a module that nobody imports")
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
  for (size_t i = 1; i < tree->num_modules; ++i) {
    bool imported = false;
    for (size_t child = 0; child < tree->num_children; ++child)
      imported = imported || tree->children[child] == i;
    if (!imported) return refuse(tree, problem);
  }
  return true;
}
