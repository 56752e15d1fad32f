// SPDX-License-Identifier: Apache-2.0
// Runs the steps of an expression, within limits. What the functions of the language are made of.
#ifndef TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_MACHINE_H_
#define TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_MACHINE_H_

#include "expression/expression_program.h"

typedef struct ExpressionMachine {
  const Expression *expression;
  const ExpressionScope *scope;
  ExpressionError *error;
  size_t elements_max, memory_left;
  uint64_t steps_left;
  size_t position;         // of the step that runs
  ExpressionValue *names;  // what was looked up
  bool *known;
  ExpressionValue *stack;
  size_t depth;
} ExpressionMachine;

// printf-like; false, with the position of the step that runs.
bool machine_fail(ExpressionMachine *machine, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// As expression_value_new, within what the machine may still use.
bool machine_new(ExpressionMachine *machine, ExpressionValue *value, ExpressionKind kind,
                 int32_t rank, const int64_t *shape);
bool machine_scalar(ExpressionMachine *machine, ExpressionValue *value, ExpressionKind kind,
                    long double number);
// Frees it, and lets its memory be used again.
void machine_free(ExpressionMachine *machine, ExpressionValue *value);
// As many operations are about to be done; false if that is too much.
bool machine_steps(ExpressionMachine *machine, uint64_t count);

// Whether it is an array or a scalar.
bool value_is_array(const ExpressionValue *value);
// "a string", "a tuple", "an array of 2 x 3"
const char *value_words(const ExpressionValue *value, char text[128]);

// Has *value be an array: a tuple of arrays of one shape becomes an array with one dimension more.
// False for what is none.
bool machine_need_array(ExpressionMachine *machine, ExpressionValue *value, const char *what);
// The integer that a scalar is.
bool machine_need_integer(ExpressionMachine *machine, const ExpressionValue *value,
                          const char *what, int64_t *number);
// The integers of a tuple, of an array of one dimension, or one integer.
bool machine_need_integers(ExpressionMachine *machine, const ExpressionValue *value,
                           const char *what, int64_t numbers[EXPRESSION_RANK_MAX], int32_t *count);
// Whether a scalar is true; `otherwise` where the argument is left out.
bool machine_need_flag(ExpressionMachine *machine, const ExpressionValue *value, bool otherwise,
                       bool *flag);

#endif  // TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_MACHINE_H_
