// SPDX-License-Identifier: Apache-2.0
// Raising errors from within the runtime. All of these return -1, so that a caller can return them.
#ifndef REFERENCE_RAISE_H_
#define REFERENCE_RAISE_H_

#include <tvm/ffi/c_api.h>

// Programs seldom come by here: the code belongs away from the rest.
#define RAISE_COLD __attribute__((cold, noinline))

// Raises an error whose message is the parts, one behind the other. Ends with NULL.
RAISE_COLD int raise_error(const char *kind, const char *part, ...) __attribute__((sentinel));

// Raises ValueError: this argument of this function is NULL.
RAISE_COLD int raise_null(const char *function, const char *argument);

// Raises ValueError: this byte array announces bytes and has none.
RAISE_COLD int raise_no_data(const char *function, const char *argument, size_t size);

// Raises TypeError: this argument is of another type than the one due.
RAISE_COLD int raise_wrong_type(const char *function, const char *argument, const char *due,
                                int32_t type_index);

// Raises InternalError, for which no memory is needed.
RAISE_COLD int raise_out_of_memory(void);

// Raises ValueError: this argument is negative.
RAISE_COLD int raise_negative(const char *function, const char *argument, int64_t number);

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

// Returns 0 if the argument is a byte array that can be read, else raises ValueError.
static inline int raise_unless_bytes(const char *function, const char *argument,
                                     const TVMFFIByteArray *bytes)
{
  if (bytes == NULL) return raise_null(function, argument);
  if (bytes->data == NULL && bytes->size != 0) {
    return raise_no_data(function, argument, bytes->size);
  }
  return 0;
}

#endif  // REFERENCE_RAISE_H_
