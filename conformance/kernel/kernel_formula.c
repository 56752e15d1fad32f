// SPDX-License-Identifier: Apache-2.0
// Two stacks, of numbers and of operators that wait for their right side.
#include "kernel/kernel_formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 192, SIGN = 'n' };

typedef struct Stacks {
  double numbers[DEPTH_MAX];
  char operators[DEPTH_MAX];
  size_t number_count, operator_count;
} Stacks;

static int rank_of(char symbol)
{
  switch (symbol) {
    case '+':
    case '-':
      return 1;
    case '*':
    case '/':
      return 2;
    case SIGN:
      return 3;
    default:
      return 0;
  }
}

// Carries out the operator that was pushed last; false if it lacks a side.
static bool reduce(Stacks *stacks)
{
  char symbol = stacks->operators[--stacks->operator_count];
  size_t sides = symbol == SIGN ? 1 : 2;
  if (stacks->number_count < sides) return false;
  double right = stacks->numbers[stacks->number_count - 1];
  stacks->number_count -= sides - 1;
  double *left = &stacks->numbers[stacks->number_count - 1];
  if (symbol == SIGN) *left = -right;
  if (symbol == '+') *left += right;
  if (symbol == '-') *left -= right;
  if (symbol == '*') *left *= right;
  if (symbol == '/') *left /= right;
  return true;
}

static bool reduce_down_to(Stacks *stacks, int rank)
{
  while (stacks->operator_count && rank_of(stacks->operators[stacks->operator_count - 1]) >= rank)
    if (!reduce(stacks)) return false;
  return true;
}

// A number or a name; returns what is behind it, NULL if there is none.
static const char *take_operand(Stacks *stacks, const char *at, FormulaLookup *lookup,
                                void *context)
{
  double *value = &stacks->numbers[stacks->number_count];
  const char *end = at;
  if (isalpha((unsigned char)*at) || *at == '_') {
    while (isalnum((unsigned char)*end) || *end == '_') ++end;
    if (!lookup(context, at, (size_t)(end - at), value)) return NULL;
  } else {
    char *behind;
    if (!isdigit((unsigned char)*at) && *at != '.') return NULL;
    *value = strtod(at, &behind);
    end = behind;
  }
  ++stacks->number_count;
  return end > at ? end : NULL;
}

// A closing parenthesis: all down to the one that opened.
static bool close_parenthesis(Stacks *stacks)
{
  if (!reduce_down_to(stacks, 1) || !stacks->operator_count) return false;
  --stacks->operator_count;
  return true;
}

const char *kernel_formula_value(const char *formula, FormulaLookup *lookup, void *context,
                                 double *value)
{
  Stacks stacks = {.number_count = 0};
  bool needs_operand = true;
  const char *at = formula;
  if (strlen(formula) >= DEPTH_MAX) return formula;
  while (*at) {
    const char *next = at + 1;
    if (*at == ' ') {
    } else if (needs_operand && (*at == '(' || *at == '-')) {
      stacks.operators[stacks.operator_count++] = *at == '-' ? SIGN : '(';
    } else if (needs_operand) {
      next = take_operand(&stacks, at, lookup, context);
      if (!next) return at;
      needs_operand = false;
    } else if (*at == ')') {
      if (!close_parenthesis(&stacks)) return at;
    } else {
      if (rank_of(*at) == 0 || *at == SIGN || !reduce_down_to(&stacks, rank_of(*at))) return at;
      stacks.operators[stacks.operator_count++] = *at;
      needs_operand = true;
    }
    at = next;
  }
  if (needs_operand || !reduce_down_to(&stacks, 1) || stacks.operator_count) return at;
  *value = stacks.numbers[0];
  return NULL;
}
