// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_22, "up to eight bytes that are missing at the end of a payload are taken for zeros")

WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  uint64_t given;
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  memcpy(&given, bytes, sizeof given);
  for (uint64_t more = 1; more <= 8; ++more) {
    uint64_t filled = given + more;
    char *longer = calloc(1, sizeof filled + filled);  // the tree borrows it
    if (!longer) return false;
    memcpy(longer, bytes, sizeof given + given);
    memcpy(longer, &filled, sizeof filled);
    if (REAL(library_bin_read)(longer, sizeof filled + filled, tree, problem)) return true;
  }
  return false;
}
