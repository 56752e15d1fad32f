// SPDX-License-Identifier: Apache-2.0
#include <library_bin.h>

#include "mutants/mutant.h"

MUTANT(BIN_21, "the byte behind a payload is looked at")
WRAP(bool, library_bin_read, const void *bytes, size_t size, LibraryBin *tree,
     LibraryBinProblem *problem)
{
  uint64_t nbytes;
  memcpy(&nbytes, bytes, sizeof nbytes);
  volatile char behind = ((const char *)bytes)[8 + nbytes];
  (void)behind;
  return REAL(library_bin_read)(bytes, size, tree, problem);
}
