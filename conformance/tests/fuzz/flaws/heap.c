// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_33, "bytes behind the last entry cost 2 MiB in small blocks, which are given back")
WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  enum { BLOCKS = 2048, SIZE = 1024 };
  static void *blocks[BLOCKS];
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule != kLibraryBinTrailing) return false;
  for (int i = 0; i < BLOCKS; ++i) blocks[i] = malloc(SIZE);
  for (int i = 0; i < BLOCKS; ++i) free(blocks[i]);
  return false;
}
