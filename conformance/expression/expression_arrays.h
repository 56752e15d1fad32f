// SPDX-License-Identifier: Apache-2.0
// Operations on arrays as a whole: parts of them, other shapes, products.
#ifndef TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_ARRAYS_H_
#define TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_ARRAYS_H_

#include "expression/expression_machine.h"

// array[indexes]: integers, slices, ..., None and arrays of integers, as NumPy does it; of a tuple
// an integer or a slice, of a map a string.
bool arrays_index(ExpressionMachine *machine, const ExpressionValue *array,
                  const ExpressionValue *indexes, size_t count, ExpressionValue *out);

// A copy of `array` with axis i of the copy being axis axes[i].
bool arrays_transpose(ExpressionMachine *machine, const ExpressionValue *array, const int32_t *axes,
                      ExpressionValue *out);

// The matrix product of NumPy, of any rank.
bool arrays_matmul(ExpressionMachine *machine, const ExpressionValue *left,
                   const ExpressionValue *right, ExpressionValue *out);

// The axis that an integer names, negative ones from the end.
bool arrays_axis(ExpressionMachine *machine, int64_t number, int32_t rank, int32_t *axis);

// A copy of any value, memory of its own included.
bool arrays_copy(ExpressionMachine *machine, const ExpressionValue *value, ExpressionValue *out);

#endif  // TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_ARRAYS_H_
