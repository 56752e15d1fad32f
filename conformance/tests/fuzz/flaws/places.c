// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

// One of two places, by the last byte.
static void go_down(const volatile char *last)
{
  static char *volatile nowhere;
  if (*last & 1) abort();
  *nowhere = 1;
}

MUTANT(BIN_33, "bytes behind the last entry bring the process down, in one place or another")
WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule == kLibraryBinTrailing) go_down((const char *)bytes + problem->offset);
  return false;
}
