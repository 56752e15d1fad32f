// SPDX-License-Identifier: Apache-2.0
// Error objects, for the files that make them.
#ifndef REFERENCE_SRC_CORE_ERROR_H_
#define REFERENCE_SRC_CORE_ERROR_H_

#include <tvm/ffi/c_api.h>

#include "core/nest.h"

// Makes an error with room for texts of these sizes, each followed by a NUL. The texts are still to
// be written, with `error_fill`. Returns own; NULL if there is no memory.
TVMFFIObject *error_new(size_t kind_size, size_t message_size, size_t backtrace_size);

// Returns the body of an error. Borrow: it is part of the object.
static inline TVMFFIErrorCell *error_cell(TVMFFIObject *error)
{
  return (TVMFFIErrorCell *)(error + 1);
}

// Returns the text that names the frames. Borrow: it is part of the cell.
static inline TVMFFIByteArray *error_backtrace(TVMFFIErrorCell *cell)
{
#ifdef TVM_FFI_GENERATION_2025_09
  return &cell->traceback;
#else
  return &cell->backtrace;
#endif
}

// Writes a text of a new error, as many bytes as it was made for.
void error_fill(const TVMFFIByteArray *text, const char *source);

// Drops what a dead error holds.
void error_end(TVMFFIObject *error, Nest *nest);

#endif  // REFERENCE_SRC_CORE_ERROR_H_
