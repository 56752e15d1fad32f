// SPDX-License-Identifier: Apache-2.0
// Values, written as texts in JSON.
#ifndef REFERENCE_SRC_FRONTEND_JSON_WRITE_H_
#define REFERENCE_SRC_FRONTEND_JSON_WRITE_H_

#include "native/native.h"

// Writes a value, which may be nested as deep as it likes, as a text in JSON. Not-a-number and
// infinities are written as `NaN`, `Infinity` and `-Infinity`.
// indent: the spaces that each level is moved to the right by; 0 for one line without spaces.
// out: own, written on success. Returns 0; -1 with ValueError if the value holds itself, or something
// for which there is no JSON, or the text is longer than WRITER_MAX.
int json_write_text(const TVMFFIAny *value, int32_t indent, TVMFFIAny *out);

// ffi.json.Stringify
NativeBody json_write;

#endif  // REFERENCE_SRC_FRONTEND_JSON_WRITE_H_
