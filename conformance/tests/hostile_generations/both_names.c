// SPDX-License-Identifier: Apache-2.0
// A runtime of today that keeps an older name for its old users. There is nothing wrong with that.
#include "exported.h"

EXPORTED const TVMFFIByteArray *TVMFFITraceback(const char *filename, int lineno, const char *func,
                                                int cross_ffi_boundary);

const TVMFFIByteArray *TVMFFITraceback(const char *filename, int lineno, const char *func,
                                       int cross_ffi_boundary)
{
  return TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
