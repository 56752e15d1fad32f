// SPDX-License-Identifier: Apache-2.0
// Data types and devices as words.
#ifndef TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_WORDS_H_
#define TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_WORDS_H_

#include <stdbool.h>

#include "abi/abi.h"

// "float32", "bfloat16", "int4x2", "bool" as a data type. False if it is none.
bool signature_dtype(const char *text, DLDataType *dtype);
// The other way round; at least 32 bytes.
char *signature_dtype_text(DLDataType dtype, char text[32]);
// "cpu", "cuda", "cuda:1". False if it is none.
bool signature_device(const char *text, DLDevice *device);
char *signature_device_text(DLDevice device, char text[32]);

// "atomic", "repeatable", "fresh", "shared": bit 0, 1, 2, 3 of SignatureForm.promises; NULL behind them.
extern const char *const signature_promise_words[];

#endif  // TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_WORDS_H_
