// SPDX-License-Identifier: Apache-2.0
// What a kernel put into the result, and what it raised: whether each is valid.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_RESULT_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_RESULT_H_

#include "battery/expect.h"
#include "battery/iut.h"
#include "battery/utf8.h"

// The bytes of the payload that a value of this type index uses, as a mask of 8 bytes; all of them
// for an index that is not known.
uint64_t result_used_bytes(const TVMFFIAny *value);

// The contents of a string or bytes, small or not; borrowed from the value. False for another value.
bool result_text(Iut *iut, const TVMFFIAny *value, TVMFFIByteArray *text);

// The tensor of a tensor object, if its elements lie compactly on the host, and how many they are;
// NULL for another value.
const DLTensor *result_tensor(Iut *iut, const TVMFFIAny *value, size_t *count);

// The elements of a tensor object that lies compactly on the host. False for another value.
bool result_elements(Iut *iut, const TVMFFIAny *value, TVMFFIByteArray *elements);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_RESULT_H_
