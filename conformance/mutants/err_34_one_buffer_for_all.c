// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_34, "all threads share the buffer of the backtrace")
OVERRIDE(Backtrace, const char *filename, int lineno, const char *func, int cross_ffi_boundary)

{
  static char text[16384];
  static TVMFFIByteArray shared = {text, 0};
  TVMFFIByteArray mine = *REFERENCE(Backtrace)(filename, lineno, func, cross_ffi_boundary);
  if (mine.size >= sizeof text) mine.size = sizeof text - 1;
  memcpy(text, mine.data, mine.size);
  text[mine.size] = 0;
  shared.size = mine.size;
  return &shared;
}
