// SPDX-License-Identifier: Apache-2.0
// What the conditions of a signature file are about.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_CONDITION_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_CONDITION_H_

#include "plan/kernel_outside.h"

// Whether a condition is about the elements of tensors of the call, those in containers included: not where it has
// `x.shape`, `x.size`, `x.ndim`, `x.dtype`, `len(x)`, `size(x)`, `shape(x)` or `ndim(x)` alone.
bool kernel_condition_reads_elements(const Kernel *kernel, const char *condition);

// Whether it names neither a tensor of the call nor a container: for whatever of it.
bool kernel_condition_is_of_values(const Kernel *kernel, const char *condition);

// Whether a statement that rules the call out asks of this name, `nan` or infinite, if it is that: `isfinite(x)`, and
// `isnan(x)` or `isinf(x)`, with the name anywhere in the brackets. Limits say nothing of NaN.
bool kernel_condition_asks_finite(const Signature *signature, const Kernel *kernel,
                                  const KernelOutside *outside, const char *name, bool nan);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_CONDITION_H_
