// SPDX-License-Identifier: Apache-2.0
// The functions of the language, as a table.
#ifndef TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_FUNCTIONS_H_
#define TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_FUNCTIONS_H_

#include "expression/expression_machine.h"

enum { FUNCTION_PARAMETERS_MAX = 5 };

// The arguments of a call. `given` is by parameter, NULL for one that is left out; `all` are those
// without a keyword, in order.
typedef struct FunctionArguments {
  ExpressionValue *given[FUNCTION_PARAMETERS_MAX];
  ExpressionValue *all;
  size_t count;
} FunctionArguments;

typedef struct ExpressionFunction ExpressionFunction;
typedef bool FunctionBody(ExpressionMachine *machine, const ExpressionFunction *function,
                          const FunctionArguments *arguments, ExpressionValue *out);

struct ExpressionFunction {
  const char *name;
  const char *parameters[FUNCTION_PARAMETERS_MAX];  // NULL behind the last
  unsigned required;
  bool variadic;  // takes any number of values without a keyword in the place of the first
  FunctionBody *body;
  // What tells functions with the same body apart.
  union {
    long double (*math)(long double);
    int choice;
  } as;
  const char *takes;  // for messages: "sum(x, axis=None, keepdims=False)"
};

// The function with this name, or NULL.
const ExpressionFunction *function_find(const char *name, size_t size);
// Its parameter with this name; FUNCTION_PARAMETERS_MAX if it has none.
unsigned function_parameter(const ExpressionFunction *function, const char *name, size_t size);
unsigned function_parameter_count(const ExpressionFunction *function);
// All names, in the order of the alphabet: "abs, all, any, ...".
void function_names(char *text, size_t capacity);

#endif  // TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_FUNCTIONS_H_
