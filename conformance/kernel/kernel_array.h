// SPDX-License-Identifier: Apache-2.0
// Whether the elements of a tensor are those that a formula, a file or another build of the module
// gives, as nearly as the type of the elements allows.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_ARRAY_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_ARRAY_H_

#include "abi/abi.h"
#include "battery/expect.h"
#include "expression/expression.h"
#include "plan/kernel.h"

// Elements one behind the other in the order of their indices, packed.
typedef struct KernelArray {
  const unsigned char *bytes;  // borrowed
  DLDataType dtype;
  int32_t rank;
  const int64_t *shape;  // borrowed
  size_t count;
} KernelArray;

// How far floats may be off, relative to the expected number and to the largest of the expected
// ones: what a reduction loses depends on what it adds up. 0: equal. What is not said depends on the
// type: 1e-9 for float64, 1e-4 for float32, 1e-2 for float16, 3e-2 for bfloat16, a step of 8 bits
// and less. Integers and bools are equal unless their type is named.
//
// A tolerance that a file does not state.
#define KERNEL_TOLERANCE_OF_TYPE (-1.0)
double kernel_tolerance_of(DLDataType dtype, double stated);

// `expected` has the shape of the array, or is broadcast to it. It is rounded to the type first.
// Not judged are elements of which the type leaves open what they are: NaN as an integer; a number
// that is too large for a type without infinity may be NaN or the largest. 0 and -0 are the same,
// unless `expected` tells them apart and the tolerance is 0. One expectation, that
// names the first element that differs, and how many do. False if some differ; no expectation and
// true if the elements are no numbers.
// bool expect_close(const char *what, const KernelArray *actual, const ExpressionValue *expected,
//                   double tolerance)
#define expect_close(...) expect_close_(EXPECT_HERE_, __VA_ARGS__)
bool expect_close_(const char *at, const char *what, const KernelArray *actual,
                   const ExpressionValue *expected, double tolerance);

// The elements as numbers: own, with kind and shape. False for elements that are no numbers, and
// without memory.
bool kernel_array_value(const KernelArray *array, ExpressionValue *value);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_ARRAY_H_
