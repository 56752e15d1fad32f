// SPDX-License-Identifier: Apache-2.0
// Big integers compared and as texts.
#ifndef REFERENCE_SRC_FRONTEND_BIG_H_
#define REFERENCE_SRC_FRONTEND_BIG_H_

#include <stdbool.h>
#include <tvm/ffi/c_api.h>

#include "frontend/writer.h"

// Tells whether a value is an integer of any size.
static inline bool big_is_integer(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBigInt;
}

// Compares two such integers. Returns less than 0, 0, or more.
int big_compare(const TVMFFIAny *one, const TVMFFIAny *other);

// Writes a big integer in decimal digits. Returns 0; -1 with an error.
int big_write(const TVMFFIObject *integer, Writer *writer);

// Reads decimal digits, with a sign or without.
// out: own, an int where it fits, written on success. Returns 1; 0 if the text is something else; -1
// with an error.
int big_read(TVMFFIByteArray text, TVMFFIAny *out);

#endif  // REFERENCE_SRC_FRONTEND_BIG_H_
