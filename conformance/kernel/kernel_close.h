// SPDX-License-Identifier: Apache-2.0
// Whether two calls gave the same, floats but for what the order of operations changes: a function
// that sums in threads of its own gives no two sums that are alike to the last bit.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_CLOSE_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_CLOSE_H_

#include "kernel/kernel_call.h"

enum { KERNEL_DIFFERENCE_MAX = 200 };

// Both calls were made; `expected` was served. If they differ, says in what: "element 7 of y is 3, not
// 4". May be called in any thread.
bool kernel_is_close(const KernelCall *actual, const KernelCall *expected,
                     char difference[KERNEL_DIFFERENCE_MAX]);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_CLOSE_H_
