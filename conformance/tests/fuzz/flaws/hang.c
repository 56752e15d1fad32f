// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_30, "a circle of imports is walked for ever")
WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  for (volatile LibraryBinRule *rule = &problem->rule; *rule == kLibraryBinCycle;) continue;
  return false;
}
