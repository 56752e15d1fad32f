// SPDX-License-Identifier: Apache-2.0
// What a kernel put into the result, and what it raised: whether each is well made.
#ifndef TVMFFI_CONFORMANCE_RUN_KERNEL_RESULT_H_
#define TVMFFI_CONFORMANCE_RUN_KERNEL_RESULT_H_

#include "run/expect.h"
#include "run/iut.h"

// Both results mean the same: plain values by their 16 bytes, strings and bytes by their contents,
// tensors by their elements' bytes where these lie compactly on the host, other objects by type
// index. bool expect_same_result(Iut *iut, const TVMFFIAny *seen, const TVMFFIAny *expected)
#define expect_same_result(...) expect_same_result_(EXPECT_HERE_, __VA_ARGS__)
bool expect_same_result_(const char *at, Iut *iut, const TVMFFIAny *seen,
                         const TVMFFIAny *expected);

// The bytes of the payload that a value of this type index uses, as a mask of 8 bytes; all of them
// for an index that is not known.
uint64_t result_used_bytes(const TVMFFIAny *value);

// Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(const char *bytes, size_t size);

#endif  // TVMFFI_CONFORMANCE_RUN_KERNEL_RESULT_H_
