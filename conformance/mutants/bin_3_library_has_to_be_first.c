// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_3, "a tree in which the library is not the first entry is refused")
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
  return tree->entries[0].is_library || refuse(tree, problem);
}
