// SPDX-License-Identifier: Apache-2.0
// Texts in JSON, read as values.
#ifndef REFERENCE_SRC_FRONTEND_JSON_PARSE_H_
#define REFERENCE_SRC_FRONTEND_JSON_PARSE_H_

#include "native/native.h"

// Reads a text in JSON, which is untrusted and may be nested as deep as it likes: arrays become
// arrays, objects maps with strings as keys. `NaN`, `Infinity` and `-Infinity` are floats.
// out: own, written on success. Returns 0; -1 with an error, which says line and column of a mistake.
int json_parse_text(TVMFFIByteArray text, TVMFFIAny *out);

// ffi.json.Parse
NativeBody json_parse;

#endif  // REFERENCE_SRC_FRONTEND_JSON_PARSE_H_
