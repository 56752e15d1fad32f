// SPDX-License-Identifier: Apache-2.0
// Whether two calls came to the same, value by value.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_OTHER_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_OTHER_H_

#include "battery/expect.h"
#include "kernel/kernel_call.h"

// The outputs and the results of two calls that returned 0 are the same: types, extents, integers,
// strings and the rest exactly, floats within the tolerance that the signature file states, or their
// type has. An expectation for each value. What has no contents to compare, an object of another
// type or a pointer, is the same if its type index is.
// bool expect_same_as_other(KernelCall *actual, KernelCall *other)
#define expect_same_as_other(...) expect_same_as_other_(EXPECT_HERE_, __VA_ARGS__)
bool expect_same_as_other_(const char *at, KernelCall *actual, KernelCall *other);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_OTHER_H_
