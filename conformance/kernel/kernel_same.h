// SPDX-License-Identifier: Apache-2.0
// Whether two calls gave the same. Each call has arguments of its own, at addresses of their own.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_SAME_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_SAME_H_

#include "battery/expect.h"
#include "kernel/kernel_call.h"

typedef enum KernelNumbers {
  KERNEL_NUMBERS_BY_TYPE,   // an int is neither a bool nor a float
  KERNEL_NUMBERS_BY_VALUE,  // 1, true and 1.0 are the same
} KernelNumbers;

// The results of both calls, which returned 0, mean the same: strings and bytes, small or not, by
// their contents; tensors by their elements' bytes where these lie compactly on the host; pointers,
// and ints that are addresses, into the memory of an argument by where they point there; other
// pointers by whether they are NULL; other objects by type index; the rest by its 16 bytes.
bool kernel_same_result(const KernelCall *actual, const KernelCall *expected);

// The same of results that are containers, where floats, and elements of tensors that lie compactly on the host, may be
// near enough: `close` and `tensors` say so.
bool kernel_same_held(const KernelCall *actual, const KernelCall *expected,
                      bool (*close)(double one, double other),
                      bool (*tensors)(Iut *iut, const TVMFFIAny *one, const TVMFFIAny *other));

// The same as an expectation.
bool expect_same_result_(const char *at, const KernelCall *actual, const KernelCall *expected,
                         KernelNumbers numbers);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_SAME_H_
