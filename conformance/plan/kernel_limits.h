// SPDX-License-Identifier: Apache-2.0
// Numbers that a signature may rule out.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_LIMITS_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_LIMITS_H_

#include <math.h>

#include "plan/kernel.h"

enum { KERNEL_LIMITS_MAX = 64 };

typedef struct KernelLimits {
  double items[KERNEL_LIMITS_MAX];
  unsigned count;
} KernelLimits;

// NaN and the infinities, which no limit says anything of.
static const double kernel_not_finite[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
enum { KERNEL_NOT_FINITE = sizeof kernel_not_finite / sizeof *kernel_not_finite };

// For a parameter like `own` of the call `kernel`: just outside of its limits first, then of those of others and
// of what conditions say, then far outside. Each once.
KernelLimits kernel_limits_of(const Signature *signature, const Kernel *kernel,
                              const KernelParameter *own);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_LIMITS_H_
