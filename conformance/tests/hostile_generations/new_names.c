// SPDX-License-Identifier: Apache-2.0
// Somebody renamed the functions and left the objects as they were.
#include "exported.h"

extern const TVMFFIByteArray *reference_TVMFFITraceback(const char *, int, const char *, int);

REPORTS(0, 1, 0)

EXPORTED const TVMFFIByteArray *TVMFFIBacktrace(const char *filename, int lineno, const char *func,
                                                int cross_ffi_boundary)
{
  return reference_TVMFFITraceback(filename, lineno, func, cross_ffi_boundary);
}
