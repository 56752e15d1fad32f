// SPDX-License-Identifier: Apache-2.0
// The backtrace is the frame that the caller names, and the native ones that it was called from.
#include <stdio.h>
#include <string.h>

#include "core/frames.h"
#include "core/thread.h"

// Returns the size of the text: a line, if the caller names one, with `more` behind it; -1 without
// memory.
static long backtrace_write(const char *filename, int lineno, const char *func, const char *more,
                            size_t more_size, char **text)
{
  bool named = filename != NULL && func != NULL;
  int size = named ? snprintf(NULL, 0, FRAMES_LINE, filename, lineno, func) : 0;
  if (size < 0) return -1;
  *text = thread_text((size_t)size + more_size + 1);
  if (*text == NULL) return -1;
  if (named) snprintf(*text, (size_t)size + 1, FRAMES_LINE, filename, lineno, func);  // ERR-32
  memcpy(*text + size, more, more_size);                                              // ERR-33
  (*text)[(size_t)size + more_size] = '\0';
  return size + (long)more_size;
}

__attribute__((noinline)) const TVMFFIByteArray *TVMFFIBacktrace(const char *filename, int lineno,
                                                                 const char *func,
                                                                 int cross_ffi_boundary)
{
  char frames[FRAMES_ROOM], *text;
  const void *from = __builtin_extract_return_addr(__builtin_return_address(0));
  TVMFFIByteArray *view = thread_text_view();  // ERR-34
  *view = (TVMFFIByteArray){"", 0};            // ERR-31
  size_t more = frames_write(from, filename != NULL && func != NULL, cross_ffi_boundary, frames);
  long size = backtrace_write(filename, lineno, func, frames, more, &text);
  if (size > 0) *view = (TVMFFIByteArray){text, (size_t)size};
  return view;
}
