// SPDX-License-Identifier: Apache-2.0
// What reading and printing data types have in common.
#ifndef REFERENCE_SRC_CORE_DTYPE_H_
#define REFERENCE_SRC_CORE_DTYPE_H_

#include <stdint.h>
#include <tvm/ffi/c_api.h>

// Codes that custom types have.
enum { DTYPE_CUSTOM_FIRST = 129, DTYPE_CUSTOM_LAST = 255 };

// The usual bits, which a name alone stands for.
enum {
  DTYPE_NUMBER_BITS = 32,
  DTYPE_BFLOAT_BITS = 16,
  DTYPE_BOOL_BITS = 8,
  DTYPE_HANDLE_BITS = 64,
};

// A float format that has a name.
typedef struct {
  const char *name;
  uint8_t size;  // of the name, in bytes
  uint8_t bits;
} DtypeFormat;

enum {
  DTYPE_FIRST_FORMAT = kDLFloat8_e3m4,
  DTYPE_LAST_FORMAT = kDLFloat4_e2m1fn,
};

// Bytes of all their names that tell nothing but the bits.
#define DTYPE_FAMILY_SIZE (sizeof("float8_") - 1)

// The formats by their codes, from DTYPE_FIRST_FORMAT on.
extern const DtypeFormat dtype_formats[];

// Asks for the code of a custom type.
// Returns 0; -1 with an error if nobody knows it.
int dtype_custom_code(const char *function, const TVMFFIByteArray *name, uint8_t *code);

// Asks for the name of a custom type.
// name: own, a string of any kind; *text is a borrowed view of it. Returns 0; -1 with an error.
int dtype_custom_name(const char *function, uint8_t code, TVMFFIAny *name, TVMFFIByteArray *text);

#endif  // REFERENCE_SRC_CORE_DTYPE_H_
