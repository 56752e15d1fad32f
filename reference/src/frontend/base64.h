// SPDX-License-Identifier: Apache-2.0
// Bytes as text in base64 (RFC 4648).
#ifndef REFERENCE_SRC_FRONTEND_BASE64_H_
#define REFERENCE_SRC_FRONTEND_BASE64_H_

#include <tvm/ffi/c_api.h>

// Makes an owned string of bytes. out: own, written on success. Returns 0; -1 with InternalError.
int base64_encode(TVMFFIByteArray bytes, TVMFFIAny *out);

// Makes owned bytes of a text. out: own, written on success. Returns 0; -1 with ValueError if the
// text is not base64.
int base64_decode(TVMFFIByteArray text, TVMFFIAny *out);

#endif  // REFERENCE_SRC_FRONTEND_BASE64_H_
