// SPDX-License-Identifier: Apache-2.0
// The backtrace is the frame that the caller names. The reference doesn't walk the stack: nothing
// that it could find there is part of the contract (ERR-35).
#include <stdio.h>

#include "core/thread.h"

#define BACKTRACE_FRAME "  File \"%s\", line %d, in %s\n"

const TVMFFIByteArray *TVMFFIBacktrace(const char *filename, int lineno, const char *func,
                                       int cross_ffi_boundary)
{
  (void)cross_ffi_boundary;
  TVMFFIByteArray *view = thread_text_view();  // ERR-34
  *view = (TVMFFIByteArray){"", 0};            // ERR-31
  if (filename == NULL || func == NULL) return view;
  int size = snprintf(NULL, 0, BACKTRACE_FRAME, filename, lineno, func);
  if (size < 0) return view;
  char *text = thread_text((size_t)size + 1);
  if (text == NULL) return view;
  snprintf(text, (size_t)size + 1, BACKTRACE_FRAME, filename, lineno, func);  // ERR-32
  *view = (TVMFFIByteArray){text, (size_t)size};
  return view;
}
