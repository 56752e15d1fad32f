// SPDX-License-Identifier: Apache-2.0
// What the conditions of a signature file are about.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_CONDITION_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_CONDITION_H_

#include "plan/kernel.h"

// Whether a condition is about the elements of tensors of the call, those in containers included: not where it has
// `x.shape`, `x.size`, `x.ndim`, `x.dtype`, `len(x)`, `size(x)`, `shape(x)` or `ndim(x)` alone.
bool kernel_condition_reads_elements(const Kernel *kernel, const char *condition);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_CONDITION_H_
