// SPDX-License-Identifier: Apache-2.0
// Operations element by element, with broadcasting.
#ifndef TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_ELEMENTS_H_
#define TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_ELEMENTS_H_

#include "expression/expression_machine.h"

enum { ELEMENTS_OPERANDS_MAX = 3 };

// What an element is, of as many elements as there are operands.
typedef long double ElementFunction(const long double *operands);

// The shape to which all operands are broadcast. False, with the error, if there is none.
bool elements_shape(ExpressionMachine *machine, const ExpressionValue *const *operands,
                    unsigned count, int32_t *rank, int64_t shape[EXPRESSION_RANK_MAX]);

// *out: own, of this kind, an integer within 64 bits.
bool elements_apply(ExpressionMachine *machine, ExpressionKind kind, ElementFunction *function,
                    const ExpressionValue *const *operands, unsigned count, ExpressionValue *out);
bool elements_map(ExpressionMachine *machine, ExpressionKind kind,
                  long double (*function)(long double), const ExpressionValue *operand,
                  ExpressionValue *out);
// `value` with this shape; elements are repeated.
bool elements_broadcast(ExpressionMachine *machine, const ExpressionValue *value, int32_t rank,
                        const int64_t *shape, ExpressionValue *out);

bool elements_unary(ExpressionMachine *machine, ExpressionOperator operator,
                    const ExpressionValue * operand, ExpressionValue *out);
// All operators between two values but @ and the comparisons of values that are no arrays.
bool elements_binary(ExpressionMachine *machine, ExpressionOperator operator,
                     const ExpressionValue * left, const ExpressionValue *right,
                     ExpressionValue *out);

// The kind of both, FLOAT before INT before BOOL.
ExpressionKind elements_kind(const ExpressionValue *left, const ExpressionValue *right);

long double element_maximum(const long double *operands);
long double element_minimum(const long double *operands);
// Of integers of 64 bits, which wrap.
long double element_integer_plus(const long double *operands);
long double element_integer_times(const long double *operands);

// The integer as one of 64 bits: as it is, or two's complement of its lowest bits.
uint64_t element_bits(long double value);
bool element_is_integer(long double value);

#endif  // TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_ELEMENTS_H_
