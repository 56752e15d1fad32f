// SPDX-License-Identifier: Apache-2.0
// What the parser makes of a text and the machine runs: steps for a machine with one stack.
#ifndef TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_PROGRAM_H_
#define TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_PROGRAM_H_

#include "expression/expression.h"

enum { EXPRESSION_ARGUMENTS_MAX = 16 };

typedef enum ExpressionOperator {
  OPERATOR_NONE = 0,
  OPERATOR_POWER,
  OPERATOR_TIMES,
  OPERATOR_DIVIDE,
  OPERATOR_FLOOR_DIVIDE,
  OPERATOR_REMAINDER,
  OPERATOR_MATMUL,
  OPERATOR_PLUS,
  OPERATOR_MINUS,
  OPERATOR_SHIFT_LEFT,
  OPERATOR_SHIFT_RIGHT,
  OPERATOR_BITS_AND,
  OPERATOR_BITS_XOR,
  OPERATOR_BITS_OR,
  OPERATOR_LESS,
  OPERATOR_LESS_EQUAL,
  OPERATOR_GREATER,
  OPERATOR_GREATER_EQUAL,
  OPERATOR_EQUAL,
  OPERATOR_NOT_EQUAL,
  OPERATOR_IS,
  OPERATOR_IS_NOT,
  OPERATOR_AND,
  OPERATOR_OR,
  OPERATOR_NOT,
  OPERATOR_NEGATE,
  OPERATOR_POSITIVE,
  OPERATOR_INVERT,
  OPERATOR_COUNT
} ExpressionOperator;

typedef enum ExpressionStepCode {
  STEP_CONSTANT,     // pushes constant `argument`
  STEP_NAME,         // pushes the value of name `argument`
  STEP_UNARY,        // a -> operator a
  STEP_BINARY,       // a b -> a operator b
  STEP_COMPARE,      // a b -> a operator b, as flags say
  STEP_SHORTCUT,     // a: jumps if it is a scalar that decides the `and`, the `or`
  STEP_JOIN,         // a b -> a and b, a or b
  STEP_JUMP_UNLESS,  // a ->; jumps if it is false
  STEP_JUMP,
  STEP_TUPLE,      // `argument` items -> a tuple
  STEP_SLICE,      // start stop step -> a slice
  STEP_ELLIPSIS,   // pushes ...
  STEP_INDEX,      // a, `argument` indexes -> a[indexes]
  STEP_ATTRIBUTE,  // a -> a.shape, as `argument` says
  STEP_CALL,       // arguments -> the result of call `argument`
} ExpressionStepCode;

// Of STEP_COMPARE: in a < b < c the first keeps b and the second joins its outcome with the first.
enum { COMPARE_KEEPS = 1, COMPARE_JOINS = 2 };

typedef struct ExpressionStep {
  ExpressionStepCode code;
  ExpressionOperator operator;
  unsigned flags;
  int32_t argument;  // jumps: how many steps further
  size_t position;   // in the text, from 1 on
} ExpressionStep;

// Kinds of values that only an index has: a slice is a tuple of three.
enum { EXPRESSION_SLICE = EXPRESSION_OTHER + 1, EXPRESSION_ELLIPSIS };

struct ExpressionFunction;

// The arguments of a call as they lie on the stack: which parameter each is for.
typedef struct ExpressionCall {
  const struct ExpressionFunction *function;
  unsigned count, positional;
  unsigned slots[EXPRESSION_ARGUMENTS_MAX];
} ExpressionCall;

typedef struct ExpressionNameUse {
  char name[EXPRESSION_NAME_MAX];
  size_t position;
} ExpressionNameUse;

struct Expression {
  unsigned references;  // by callers, and one by the cache
  char *text;
  ExpressionStep *steps;
  ExpressionValue *constants;
  ExpressionNameUse *names;
  ExpressionCall *calls;
  size_t step_count, constant_count, name_count, call_count;
  size_t step_room, constant_room, name_room, call_room;
};

// Own: the expression with one reference, as expression_parse, which remembers long ones.
Expression *expression_parse_anew(const char *text, ExpressionError *error);
// Frees it, whoever has a reference; NULL: does nothing.
void expression_end(Expression *expression);

typedef enum ExpressionAttribute {
  ATTRIBUTE_SHAPE,
  ATTRIBUTE_SIZE,
  ATTRIBUTE_NDIM,
  ATTRIBUTE_TRANSPOSED,
  ATTRIBUTE_DTYPE,
  ATTRIBUTE_COUNT
} ExpressionAttribute;

#endif  // TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_PROGRAM_H_
