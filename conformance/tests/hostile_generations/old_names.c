// SPDX-License-Identifier: Apache-2.0
// Somebody kept the names of September 2025 for a runtime with the objects of today.
#include "exported.h"

extern const TVMFFIByteArray *reference_TVMFFIBacktrace(const char *, int, const char *, int);

EXPORTED const TVMFFIByteArray *TVMFFITraceback(const char *filename, int lineno, const char *func,
                                                int cross_ffi_boundary);

const TVMFFIByteArray *TVMFFITraceback(const char *filename, int lineno, const char *func,
                                       int cross_ffi_boundary)
{
  return reference_TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
