// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_32, "lines are counted from 0")
OVERRIDE(Backtrace, const char *filename, int lineno, const char *func, int cross_ffi_boundary)

{
  return REFERENCE(Backtrace)(filename, lineno > 0 ? lineno - 1 : lineno, func, cross_ffi_boundary);
}
