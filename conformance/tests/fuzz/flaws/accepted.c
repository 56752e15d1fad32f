// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_33, "bytes behind the last entry are passed over")
WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  static char copy[65536];
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule != kLibraryBinTrailing || problem->offset > sizeof copy) return false;
  uint64_t follow = problem->offset - 8;
  memcpy(copy, bytes, problem->offset);
  memcpy(copy, &follow, sizeof follow);
  return REAL(library_bin_read)(copy, problem->offset, tree, problem);
}
