// SPDX-License-Identifier: Apache-2.0
// Numbers in JSON, read and written in the same way whatever the locale is.
#ifndef REFERENCE_SRC_FRONTEND_JSON_NUMBER_H_
#define REFERENCE_SRC_FRONTEND_JSON_NUMBER_H_

#include <tvm/ffi/c_api.h>

// Reads a number with an optional sign, of which neither the integer nor the fraction needs digits
// as long as there is one. Without fraction and exponent it becomes an int if that can hold it; all
// others become floats.
// out: written on success. Returns the end of the number; NULL if there is none, or if it is larger
// than any float.
const char *json_number_read(const char *from, const char *end, TVMFFIAny *out);

enum { JSON_NUMBER_MAX = 32 };

// Write a number without a NUL behind it, and return the end of it. There must be room for
// JSON_NUMBER_MAX bytes. A float is read as the same float again, never as an int.
char *json_number_write_int(char *to, int64_t number);
char *json_number_write_float(char *to, double number);

#endif  // REFERENCE_SRC_FRONTEND_JSON_NUMBER_H_
