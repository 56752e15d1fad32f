// SPDX-License-Identifier: Apache-2.0
// Whether a formula can be compared with what came out for the elements that a call has: a right
// function may come to something else where it jumps, or where a step of it leaves the type.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_STEADY_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_STEADY_H_

#include "expression/expression.h"
#include "kernel/kernel_call.h"

// Whether the call was chosen for elements of which that has to be asked.
bool kernel_is_delicate(const Kernel *kernel);

// NULL if the formula can be compared with a value of this type, else why it can't.
const char *kernel_formula_unsteady(KernelCall *call, const char *formula, DLDataType dtype);

// NULL, or why it can't in any call: what the formula came to is only the rounding error of a sum, such as a
// difference of equal elements.
const char *kernel_formula_cancels(KernelCall *call, const char *formula,
                                   const ExpressionValue *expected);

// The least tolerance of floats for the elements and the sizes of this call: 0 where the order in
// which a right function rounds is not seen.
double kernel_least_tolerance(const Kernel *kernel, DLDataType dtype);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_STEADY_H_
