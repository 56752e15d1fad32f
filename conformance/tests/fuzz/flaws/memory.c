// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_24, "room for all rows is made before they are counted")
WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  uint64_t follow, rows = 0;
  memcpy(&follow, bytes, sizeof follow);
  if (follow >= 8) memcpy(&rows, (const char *)bytes + 8, sizeof rows);
  void *volatile room = malloc(rows * 8);
  free(room);
  return REAL(library_bin_read)(bytes, size, tree, problem);
}
