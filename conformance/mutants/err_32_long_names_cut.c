// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_32, "a frame is cut to what fits a line buffer")
OVERRIDE(Backtrace, const char *filename, int lineno, const char *func, int cross_ffi_boundary)

{
  static _Thread_local char text[512];
  static _Thread_local TVMFFIByteArray cut;
  cut = *REFERENCE(Backtrace)(filename, lineno, func, cross_ffi_boundary);
  if (cut.size >= sizeof text) cut.size = sizeof text - 1;
  memcpy(text, cut.data, cut.size);
  text[cut.size] = 0;
  cut.data = text;
  return &cut;
}
