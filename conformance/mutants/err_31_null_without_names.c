// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_31, "without a file or a function there is no backtrace")
OVERRIDE(Backtrace, const char *filename, int lineno, const char *func, int cross_ffi_boundary)

{
  if (filename == NULL || func == NULL) return NULL;
  return REFERENCE(Backtrace)(filename, lineno, func, cross_ffi_boundary);
}
