// SPDX-License-Identifier: Apache-2.0
// Strings and bytes, which differ in their type indices only.
#ifndef REFERENCE_SRC_CORE_BYTES_H_
#define REFERENCE_SRC_CORE_BYTES_H_

#include <tvm/ffi/c_api.h>

// Makes an owned string of `size` bytes at `data`, which may be NULL if there are none.
// out: own, written on success. Returns 0; -1 with InternalError if there is no memory.
int bytes_make_string(const char *data, size_t size, TVMFFIAny *out);

// The same for bytes.
int bytes_make_bytes(const char *data, size_t size, TVMFFIAny *out);

// Makes a string object, whatever its size, and returns where its `size` bytes are to be written;
// NULL after having raised InternalError, if there is no memory.
// out: own, written on success. Returns borrow: part of the object.
char *bytes_new_string(size_t size, TVMFFIAny *out);

// Ends the text of a string that bytes_new_string made earlier than where it was to end.
static inline void bytes_end_string(const TVMFFIAny *string, char *end)
{
  TVMFFIByteArray *cell = (TVMFFIByteArray *)(string->v_obj + 1);
  cell->size = (size_t)(end - cell->data);
  *end = '\0';
}

#endif  // REFERENCE_SRC_CORE_BYTES_H_
