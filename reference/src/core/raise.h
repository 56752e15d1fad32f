// SPDX-License-Identifier: Apache-2.0
// Raising errors from within the runtime. All of these return -1, so that a caller can return them.
#ifndef REFERENCE_SRC_CORE_RAISE_H_
#define REFERENCE_SRC_CORE_RAISE_H_

#include <stdbool.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

// Programs seldom come by here: the code belongs away from the rest.
#define RAISE_COLD __attribute__((cold, noinline))

// Raises an error whose message is the parts, one behind the other. Ends with NULL.
RAISE_COLD int raise_error(const char *kind, const char *part, ...) __attribute__((sentinel));

// Raises ValueError: this argument of this function is NULL.
RAISE_COLD int raise_null(const char *function, const char *argument);

// Raises ValueError: this byte array announces bytes and has none, or more than memory can hold.
RAISE_COLD int raise_bytes(const char *function, const char *argument,
                           const TVMFFIByteArray *bytes);

// Raises TypeError: this argument is of another type than the one due.
RAISE_COLD int raise_wrong_type(const char *function, const char *argument, const char *due,
                                int32_t type_index);

// Raises InternalError, for which no memory is needed.
RAISE_COLD int raise_out_of_memory(void);

// Raises ValueError: this argument is negative.
RAISE_COLD int raise_negative(const char *function, const char *argument, int64_t number);

// Raises InternalError: this argument is the index of no type.
RAISE_COLD int raise_no_type(const char *function, const char *argument, int32_t type_index);

// A number as text: raise_error(..., raise_number(index).text, ...).
typedef struct {
  char text[24];
} RaiseNumber;
RAISE_COLD RaiseNumber raise_number(int64_t number);

// A name as far as it fits and prints: up to a NUL or 200 bytes.
typedef struct {
  char text[201];
} RaiseName;
RAISE_COLD RaiseName raise_name(const TVMFFIByteArray *name);

// Tells whether a byte array has the data that it announces, as far as that can be told.
static inline bool raise_can_read(const TVMFFIByteArray *bytes)
{
  return bytes->size <= PTRDIFF_MAX && (bytes->data != NULL || bytes->size == 0);
}

// Returns 0 if the argument is a byte array that can be read, else raises ValueError.
static inline int raise_unless_bytes(const char *function, const char *argument,
                                     const TVMFFIByteArray *bytes)
{
  if (bytes == NULL) return raise_null(function, argument);
  return raise_can_read(bytes) ? 0 : raise_bytes(function, argument, bytes);
}

#endif  // REFERENCE_SRC_CORE_RAISE_H_
