// SPDX-License-Identifier: Apache-2.0
// Calls that differ from another one as drawn numbers choose, right or not: for whoever has something to compare any
// call with.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_MUTATE_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_MUTATE_H_

#include "plan/kernel.h"

// Changes one thing of a call: a value, a size, a data type, a rank, what a container holds or what a function returns. The
// same state gives the same change; it goes on to the next. False, and `kernel` may be anything, where what was drawn can't be
// changed, or all tensors would be too large.
bool kernel_mutate(Kernel *kernel, uint64_t *random);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_MUTATE_H_
