// SPDX-License-Identifier: Apache-2.0
// What is told of an expression that is not worked out.
#include "expression/expression.h"
#include "unit/unit.h"

static Expression *parsed(const char *text)
{
  ExpressionError error;
  Expression *expression = expression_parse(text, &error);
  ck_assert_msg(expression != NULL, "%s: %s", text, error.message);
  return expression;
}

TEST_GROUP(expression_facts);

TEST(places_are_what_stands_in_an_index_or_an_extent)
{
  static const struct {
    const char *text;
    bool places;
  } rows[] = {
      {"table[x]", true},
      {"table[x + 1, :]", true},
      {"table[a:x[0]]", true},
      {"table[a][x if a > 1 else a]", true},
      {"table[a if a > 1 else x]", true},
      {"table[sum(arange(9) >= x)]", true},
      {"take_along_axis(table, x, 0)", true},
      {"scatter_add(table, x, a)", true},
      {"zeros((x[0],))", true},
      {"arange(x[1])", true},
      {"reshape(a, (x[0], -1))", true},
      {"x[a]", false},
      {"x + 1", false},
      {"a[argsort(x)]", false},
      {"a[argmax(x, axis=0)]", false},
      {"a[len(x) - 1]", false},
      {"a[:x.shape[0]]", false},
      {"scatter_add(table, a, x)", false},
      {"take_along_axis(x, a, 0)", false},
      {"where(0 < x < 4 and a == x, x, 0)", false},
      {"x.T @ x if a > 1 else -x", false},
      {"table[a]", false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    Expression *expression = parsed(rows[i].text);
    ck_assert_msg(expression_has_places(expression, "x") == rows[i].places, "%s", rows[i].text);
    expression_free(expression);
  }
}

TEST(what_is_exact_has_no_order_of_operations)
{
  static const struct {
    const char *text;
    bool exact, keeps_zeros;
  } rows[] = {
      {"x", true, true},
      {"-x * a / 3", true, true},
      {"cast(clip(x * a, -448, 448), \"float8_e4m3fn\")", true, true},
      {"clip(x, 0, 6)", true, false},
      {"max(x, axis=0)", true, false},
      {"round(x)", true, false},
      {"where(x > 0, x, 0)", true, true},
      {"transpose(x)[a]", true, true},
      {"x + a", false, false},
      {"sum(x)", false, false},
      {"exp(x)", false, false},
      {"x @ a", false, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    Expression *expression = parsed(rows[i].text);
    ck_assert_msg(expression_is_exact(expression) == rows[i].exact, "%s", rows[i].text);
    ck_assert_msg(expression_keeps_zeros(expression) == rows[i].keeps_zeros, "%s", rows[i].text);
    expression_free(expression);
  }
  Expression *sorted = parsed("sort(x)[0]");
  ck_assert(expression_calls(sorted, "sort"));
  ck_assert(!expression_calls(sorted, "argsort"));
  expression_free(sorted);
}
