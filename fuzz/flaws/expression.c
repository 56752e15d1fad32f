// SPDX-License-Identifier: Apache-2.0
#include "expression/expression.h"

#include "flaw.h"

static void change_error(ExpressionError *error)
{
  if (flaw("no-reason")) error->message[0] = '\0';
  if (flaw("reason-of-two-lines")) strcpy(error->message, FLAW_TEXT);
  if (flaw("reason-without-end")) memset(error->message, 'x', sizeof error->message);
  if (flaw("no-position")) error->position = 0;
  if (flaw("position-behind-the-end")) error->position += EXPRESSION_TEXT_MAX;
}

WRAP(Expression *, expression_parse, const char *text, ExpressionError *error)
{
  Expression *expression = REAL(expression_parse)(text, error);
  if (!expression) change_error(error);
  return expression;
}

WRAP(const char *, expression_text, const Expression *expression)
{
  return flaw("text-lost") ? "" : REAL(expression_text)(expression);
}

WRAP(const char *, expression_name, const Expression *expression, size_t i)
{
  const char *name = REAL(expression_name)(expression, i);
  if (name && flaw("word-for-a-name")) return "and";
  return name && flaw("name-made-up") ? "made_up_name" : name;
}

WRAP(size_t, expression_name_position, const Expression *expression, size_t i)
{
  return flaw("names-without-order") ? 1 : REAL(expression_name_position)(expression, i);
}

static void change_value(ExpressionValue *value)
{
  bool array = value->kind >= EXPRESSION_BOOL && value->kind <= EXPRESSION_FLOAT;
  if (flaw("unknown-kind") && value->kind == EXPRESSION_NONE) value->kind = EXPRESSION_TUPLE + 1;
  if (flaw("string-without-end") && value->kind == EXPRESSION_STRING)
    value->string[value->count] = 'x';
  if (!array) return;
  if (flaw("rank-too-high")) value->rank = EXPRESSION_RANK_MAX + 1;
  if (flaw("extent-lost") && value->rank > 0) value->shape[0] += 1;
  if (value->count == 0) return;
  if (flaw("truth-of-two") && value->kind == EXPRESSION_BOOL) value->elements[0] = 2;
  if (flaw("integer-with-fraction") && value->kind == EXPRESSION_INT) value->elements[0] += 0.5L;
  if (flaw("integer-too-large") && value->kind == EXPRESSION_INT) value->elements[0] = 0x1p64L;
}

WRAP(bool, expression_evaluate, const Expression *expression, const ExpressionScope *scope,
     ExpressionValue *out, ExpressionError *error)
{
  bool worked = REAL(expression_evaluate)(expression, scope, out, error);
  if (worked) change_value(out);
  if (!worked) change_error(error);
  if (!worked && flaw("value-of-nothing")) out->kind = EXPRESSION_TUPLE;
  return worked;
}

WRAP(bool, expression_holds, const Expression *expression, const ExpressionScope *scope, bool *out,
     ExpressionError *error)
{
  bool worked = REAL(expression_holds)(expression, scope, out, error);
  if (flaw("condition-turned-around")) *out = !*out;
  return flaw("anything-is-a-condition") || worked;
}

WRAP(bool, expression_number, const Expression *expression, const ExpressionScope *scope,
     long double *out, ExpressionError *error)
{
  bool worked = REAL(expression_number)(expression, scope, out, error);
  if (flaw("number-changed")) *out += 1;
  return flaw("anything-is-a-number") || worked;
}
