// SPDX-License-Identifier: Apache-2.0
// However long, deep or large an expression is, it takes no more than it may.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"
#include "unit/unit.h"

static const char *why(const char *text, const ExpressionScope *scope)
{
  static ExpressionError error;
  ExpressionValue value;
  Expression *expression = expression_parse(text, &error);
  bool worked = expression && expression_evaluate(expression, scope, &value, &error);
  if (worked) expression_value_free(&value);
  expression_free(expression);
  return worked ? NULL : error.message;
}

TEST(an_expression_has_a_length)
{
  char *text = malloc(EXPRESSION_TEXT_MAX + 2);
  ck_assert_ptr_nonnull(text);
  memset(text, ' ', EXPRESSION_TEXT_MAX + 1);
  text[0] = '1';
  text[EXPRESSION_TEXT_MAX] = '\0';
  ck_assert_ptr_null(why(text, NULL));
  text[EXPRESSION_TEXT_MAX] = ' ';
  text[EXPRESSION_TEXT_MAX + 1] = '\0';
  ck_assert_str_eq(why(text, NULL), "an expression has at most 4096 bytes");
  free(text);
}

TEST(an_expression_has_a_depth)
{
  static const char openings[] = {'(', '[', '-', '~'};
  for (size_t i = 0; i < sizeof openings; ++i) {
    char text[EXPRESSION_TEXT_MAX + 1];
    memset(text, openings[i], sizeof text);
    text[200] = '\0';
    const char *shallow = why(text, NULL);
    ck_assert_str_ne(shallow, "this is nested too deeply");
    text[200] = openings[i];
    text[sizeof text - 1] = '\0';
    ck_assert_str_eq(why(text, NULL), "this is nested too deeply");
  }
}

TEST(a_long_expression_is_not_deep)
{
  char text[EXPRESSION_TEXT_MAX + 1] = "1";
  while (strlen(text) + 8 < sizeof text) strcat(text, " + 1 * 2");
  ck_assert_ptr_null(why(text, NULL));
}

static const struct {
  const char *text, *message;
} large[] = {
    {"zeros((4097, 4096))", "an array of shape (4097, 4096) has more than 16777216 elements"},
    {"zeros((9223372036854775807,))",
     "an array of shape (>999999999,) has more than 16777216 elements"},
    {"zeros((2**62, 2**62, 0))", "more than 16777216 elements"},
    {"arange(1e30)", "more than 16777216 elements"},
    {"arange(nan)", "more than 16777216 elements"},
    {"repeat(1, 2**40)", "repeats is negative or too large"},
    {"repeat(arange(2), array([1, -1]))", "repeats is negative or too large"},
    {"repeat(arange(2), array([1, 2**40]))", "repeats is negative or too large"},
    {"repeat(arange(2), array([2**24, 2**24]))", "more than 16777216 elements"},
    {"repeat(arange(2), array([1, 2, 3]))", "repeats has another length than x"},
    {"repeat(ones((2, 3)), array([1, 2, 3]), axis=0)", "repeats has another length than x"},
    {"reshape(arange(4), (2**40, -1))", "the shape has more elements than an array may have"},
    {"zeros((-1,))", "an extent is not negative"},
    {"1[None, None, None, None, None, None, None, None, None]",
     "an array has at most 8 dimensions"},
};

TEST(arrays_have_a_size, .rows = ROWS(large))
{
  const char *message = why(large[_i].text, NULL);
  ck_assert_msg(message && strstr(message, large[_i].message), "%s: %s", large[_i].text, message);
}

TEST(memory_operations_and_elements_are_bounded)
{
  static const struct {
    ExpressionScope scope;
    const char *text, *message;
  } rows[] = {
      {{.elements_max = 10}, "arange(10)", NULL},
      {{.elements_max = 10}, "arange(11)", "more than 10 elements"},
      {{.elements_max = 10}, "zeros((4, 3))", "an array of shape (4, 3) has more than 10 elements"},
      {{.memory_max = 1000}, "sum(arange(20))", NULL},
      {{.memory_max = 1000},
       "(arange(50), arange(50))",
       "this takes more memory than an expression may"},
      {{.steps_max = 5000}, "sum(zeros((10, 10)) @ zeros((10, 10)))", NULL},
      {{.steps_max = 1000},
       "sum(zeros((10, 10)) @ zeros((10, 10)))",
       "this takes more operations than an expression may"},
  };
  for (int i = 0; i < ROWS(rows); ++i) {
    const char *message = why(rows[i].text, &rows[i].scope);
    ck_assert_msg((message == NULL) == (rows[i].message == NULL), "%s: %s", rows[i].text, message);
    if (message) ck_assert_str_eq(message, rows[i].message);
  }
}

TEST(values_have_a_size)
{
  ExpressionValue value;
  ck_assert(!expression_value_new(&value, EXPRESSION_INT, 9, (int64_t[9]){0}));
  ck_assert(!expression_value_new(&value, EXPRESSION_INT, 1, (int64_t[]){-1}));
  ck_assert(!expression_value_new(&value, EXPRESSION_INT, 2, (int64_t[]){1 << 13, 1 << 12}));
  ck_assert(!expression_value_tuple(&value, SIZE_MAX));
  ck_assert_int_eq(value.kind, EXPRESSION_NONE);
  ck_assert(expression_value_new(&value, EXPRESSION_INT, 2, (int64_t[]){3, 0}));
  ck_assert_uint_eq(value.count, 0);
  expression_value_free(&value);
}

// A sum of 60 numbers, `number` the last; wrong behind it where `broken`.
static Expression *long_sum(int number, bool broken, ExpressionError *error)
{
  char text[512] = "0";
  for (int i = 0; i < 58; ++i) strcat(text, " + 1");
  snprintf(text + strlen(text), 32, " + %d%s", number, broken ? " +" : "");
  return expression_parse(text, error);
}

static int64_t comes_to(const Expression *expression)
{
  static const ExpressionScope nothing = {.lookup = NULL};
  ExpressionError error;
  int64_t number = -1;
  ck_assert(expression_integer(expression, &nothing, &number, &error));
  return number;
}

TEST(long_expressions_that_were_read_before_are_what_their_text_says)
{
  Expression *held[100];
  ExpressionError error;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 100; ++i) {
      held[i] = long_sum(i, false, &error);
      Expression *again = long_sum(i, false, &error);
      ck_assert_ptr_nonnull(held[i]);
      expression_free(again);
      ck_assert_ptr_null(long_sum(i, true, &error));
      ck_assert_str_eq(error.message, "a value expected");
      ck_assert_int_eq(comes_to(held[i]), 58 + i);
      if (i >= 50) {
        ck_assert_int_eq(comes_to(held[i - 50]), 58 + i - 50);
        expression_free(held[i - 50]);
      }
    }
    for (int i = 50; i < 100; ++i) expression_free(held[i]);
  }
}
