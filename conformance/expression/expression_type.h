// SPDX-License-Identifier: Apache-2.0
// The types that elements of tensors have, as numbers: what each can hold, and its bits.
#ifndef TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_TYPE_H_
#define TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_TYPE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ExpressionTypeKind {
  TYPE_BOOL,
  TYPE_INT,
  TYPE_UINT,
  TYPE_FLOAT,           // infinities and NaNs as in IEEE 754
  TYPE_FLOAT_NAN,       // all ones are NaN, there is no infinity
  TYPE_FLOAT_ONE_ZERO,  // -0 is NaN, there is no infinity
  TYPE_FLOAT_FINITE,    // neither
  TYPE_FLOAT_EXPONENT,  // powers of 2, and NaN
} ExpressionTypeKind;

typedef struct ExpressionType {
  ExpressionTypeKind kind;
  uint8_t code, bits;  // as DLDataType has them
  uint8_t mantissa;    // of floats: bits behind the point
  int16_t bias;
} ExpressionType;

// The type with this name ("float16", "int4"), or with these numbers of DLDataType. False if there
// is none that is a number: vectors, handles, complex numbers.
bool expression_type_find(const char *name, size_t size, ExpressionType *type);
bool expression_type_of(uint8_t code, uint8_t bits, ExpressionType *type);

bool expression_type_is_float(const ExpressionType *type);
// The largest number of a float type.
long double expression_type_largest(const ExpressionType *type);
// Half the distance from 1 to the next number of a float type: how much rounding changes a number,
// relatively. 0 for others.
long double expression_type_epsilon(const ExpressionType *type);

// `value` as an element of this type: floats to the nearest, ties to even; integers without their
// fraction and modulo their width; any other number than 0 is a true bool. NaN where an integer
// type cannot hold a float: NaN, infinity, or one that is too large (|value| >= 2^63).
long double expression_type_round(const ExpressionType *type, long double value);
// The bits of an element; a NaN has those of 0 in a type that has none.
uint64_t expression_type_encode(const ExpressionType *type, long double value);
long double expression_type_decode(const ExpressionType *type, uint64_t bits);

#endif  // TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_TYPE_H_
