// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_32, "what was begun for a value that is cut short is forgotten")
WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  static void *volatile forgotten;
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule == kLibraryBinValueTooLarge) forgotten = malloc(40);
  (void)forgotten;
  return false;
}
