// SPDX-License-Identifier: Apache-2.0
// What the functions of the table do, by what their parameters are.
#ifndef TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_BODIES_H_
#define TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_BODIES_H_

#include "expression/expression_functions.h"

// Element by element (expression_body_math.c).
FunctionBody body_math;     // x; as.math; a float
FunctionBody body_keep;     // x; as.math; of the kind of x
FunctionBody body_test;     // x; as.math; true or false
FunctionBody body_pair;     // x, y; as.choice, a PairChoice
FunctionBody body_where;    // condition, x, y
FunctionBody body_clip;     // x, min, max
FunctionBody body_cast;     // x, dtype
FunctionBody body_maximum;  // any number of values; as.choice: the minimum

// Over axes (expression_body_reduce.c). They take x, axis, and what the table says.
FunctionBody body_reduce;    // as.choice, a ReduceChoice
FunctionBody body_extreme;   // the same with one value, else body_maximum; as.choice as there
FunctionBody body_argument;  // argmax; as.choice: argmin
FunctionBody body_cumulate;  // cumsum; as.choice: cumprod
FunctionBody body_sort;      // sort; as.choice: argsort

// Shapes (expression_body_shape.c).
FunctionBody body_reshape;       // x, shape
FunctionBody body_transpose;     // x, axes
FunctionBody body_broadcast_to;  // x, shape
FunctionBody body_concat;        // arrays, axis
FunctionBody body_stack;         // arrays, axis
FunctionBody body_arange;        // start, stop, step
FunctionBody body_full;          // shape, value; as.choice: the value where there is none
FunctionBody body_array;         // values
FunctionBody body_repeat;        // x, repeats, axis
FunctionBody body_count;         // x; as.choice, a CountChoice

// Products and places (expression_body_place.c).
FunctionBody body_matmul;           // x, y
FunctionBody body_scatter_add;      // x, indices, values
FunctionBody body_bincount;         // x, length
FunctionBody body_take_along_axis;  // x, indices, axis

typedef enum PairChoice {
  PAIR_ARCTAN2,
  PAIR_FMOD,
  PAIR_HYPOT,
  PAIR_COPYSIGN,
  PAIR_POWER
} PairChoice;

typedef enum ReduceChoice {
  REDUCE_SUM,
  REDUCE_PROD,
  REDUCE_MEAN,
  REDUCE_VAR,
  REDUCE_STD,
  REDUCE_MAX,
  REDUCE_MIN,
  REDUCE_ANY,
  REDUCE_ALL,
} ReduceChoice;

typedef enum CountChoice {
  COUNT_LENGTH,
  COUNT_DIMENSIONS,
  COUNT_ELEMENTS,
  COUNT_SHAPE
} CountChoice;

#endif  // TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_BODIES_H_
