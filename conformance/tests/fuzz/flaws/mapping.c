// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>
#include <sys/mman.h>

#include "mutants/mutant.h"

MUTANT(BIN_26, "a payload whose first row is not 0 leaves a page mapped")
WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule == kLibraryBinFirstRow)
    mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return false;
}
