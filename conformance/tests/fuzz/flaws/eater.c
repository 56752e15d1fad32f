// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_29, "for a child that is no module memory is taken until there is none, and then used")
WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  for (volatile LibraryBinRule *rule = &problem->rule; *rule == kLibraryBinChildRange;)
    *(void *volatile *)malloc(65536) = tree;
  return false;
}
