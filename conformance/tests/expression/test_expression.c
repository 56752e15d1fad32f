// SPDX-License-Identifier: Apache-2.0
// The language of signature files: what expressions come to, and what is said of those that are none.
// (compare_numpy.py compares whole arrays.)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"
#include "unit/unit.h"

static bool make(ExpressionValue *value, ExpressionKind kind, int32_t rank, const int64_t *shape,
                 long double first)
{
  if (!expression_value_new(value, kind, rank, shape)) return false;
  for (size_t i = 0; i < value->count; ++i) value->elements[i] = first + (long double)i;
  return true;
}

static bool make_parts(ExpressionValue *value, bool map)
{
  static const char *const keys[] = {"alpha", "beta"};
  if (!expression_value_tuple(value, 2)) return false;
  for (size_t i = 0; i < 2; ++i) {
    if (!make(&value->items[i], EXPRESSION_INT, 1, (int64_t[]){3}, (long double)(10 * i)))
      return false;
    if (map) value->items[i].key = strdup(keys[i]);
  }
  return true;
}

// n is 4, m is 6, k is 0, h is 2.5, x is 1.0 to 6.0 in two rows, out an output, parts and table hold two arrays, handles what is not known
// and an output.
static bool look_up(void *context, const char *name, ExpressionValue *value)
{
  if (context) ++*(int *)context;
  if (strcmp(name, "n") == 0) return expression_value_scalar(value, EXPRESSION_INT, 4);
  if (strcmp(name, "m") == 0) return expression_value_scalar(value, EXPRESSION_INT, 6);
  if (strcmp(name, "k") == 0) return expression_value_scalar(value, EXPRESSION_INT, 0);
  if (strcmp(name, "h") == 0) return expression_value_scalar(value, EXPRESSION_FLOAT, 2.5L);
  if (strcmp(name, "mode") == 0) return expression_value_string(value, "relu", 4);
  if (strcmp(name, "mask") == 0) return true;
  if (strcmp(name, "parts") == 0) return make_parts(value, false);
  if (strcmp(name, "table") == 0) return make_parts(value, true);
  if (strcmp(name, "handles") == 0) {
    if (!expression_value_tuple(value, 2)) return false;
    value->items[0].kind = EXPRESSION_OTHER;
    value->items[1] = (ExpressionValue){
        .kind = EXPRESSION_OUTPUT, .rank = 2, .shape = {2, 3}, .count = 6, .dtype = "int8"};
    return true;
  }
  if (strcmp(name, "out") == 0) {
    *value = (ExpressionValue){
        .kind = EXPRESSION_OUTPUT, .rank = 2, .shape = {2, 3}, .count = 6, .dtype = "int8"};
    return true;
  }
  if (strcmp(name, "f") == 0) {
    *value = (ExpressionValue){.kind = EXPRESSION_OTHER};
    return true;
  }
  if (strcmp(name, "x") != 0) return false;
  bool made = make(value, EXPRESSION_FLOAT, 2, (int64_t[]){2, 3}, 1);
  value->dtype = "float32";
  return made;
}

static const ExpressionScope scope = {.lookup = look_up};

static Expression *parsed(const char *text)
{
  ExpressionError error;
  Expression *expression = expression_parse(text, &error);
  ck_assert_msg(expression != NULL, "%s: %zu: %s", text, error.position, error.message);
  return expression;
}

// --- Numbers -------------------------------------------------------------------------------------

static const struct {
  const char *text;
  long double value;
} numbers[] = {
    {"1", 1},
    {"  2.5  ", 2.5L},
    {".5", 0.5L},
    {"1e3", 1000},
    {"1.e-2", 0.01},
    {"0x1F", 31},
    {"0b101", 5},
    {"18446744073709551615", 18446744073709551615.0L},
    {"-9223372036854775808", -0x1p63L},
    {"9223372036854775807 - 1", 9223372036854775806.0L},
    {"True + True", 2},
    {"2*n", 8},
    {"n+1", 5},
    {"(n+3)//4", 1},
    {"-7 // 2", -4},
    {"-7 % 2", 1},
    {"7 % -2", -1},
    {"2 ** 3 ** 2", 512},
    {"-2 ** 2", -4},
    {"2 ** -1", 0.5L},
    {"-n ** 2 * 3", -48},
    {"10 - 4 - 3", 3},
    {"12 / 4 / 3", 1},
    {"1 + 2 << 1", 6},
    {"6 & 3 | 8 ^ 1", 11},
    {"~5", -6},
    {"~(1 == 2)", 1},
    {"not 1 == 2", 1},
    {"1 < 2 < 3", 1},
    {"1 < 3 < 2", 0},
    {"3 > 2 >= 2 != 1", 1},
    {"1 <= k <= n", 0},
    {"k < 1 and n % 4 == 0", 1},
    {"k or n", 1},
    {"1 if n > 3 else 2", 1},
    {"1 if n > 4 else 2 if m > 5 else 3", 2},
    {"(1 if k else 2) + (n if n == 4 and k == 0 else m)", 6},
    {"x[n] if n < 2 else 7", 7},
    {"k > 0 and x[9, 9] > 0", 0},
    {"k == 0 or x[9, 9] > 0", 1},
    {"n // k", HUGE_VALL},
    {"max(n, m, 5)", 6},
    {"min(x)", 1},
    {"sum(x)", 21},
    {"x.sum(axis=0)[1]", 7},
    {"x.T[2][1]", 6},
    {"x[-1, -1]", 6},
    {"sum(parts[1:])", 33},
    {"(n, m, k)[:-1][1]", 6},
    {"1 if handles[0] is None else 2", 2},
    {"handles[1].shape[1]", 3},
    {"all((n, m)[1:] > (n, m)[:-1])", 1},
    {"x.shape[0] * ndim(x) * size(x)", 24},
    {"len(parts) + len(table)", 4},
    {"parts[1][2]", 12},
    {"table['beta'][0]", 10},
    {"concat(parts)[-1]", 12},
    {"stack(parts, axis=1).shape[0]", 3},
    {"sum(stack(parts)) + sum(parts[0])", 39},
    {"sum(repeat(x[0], array([2, 0, 1])))", 5},
    {"sum(repeat(x[0], [2, 0, 1]))", 5},
    {"size(repeat(x[0, :0], []))", 0},
    {"repeat(x, array([0, 2]), axis=0)[1, 2]", 6},
    {"sum(repeat(x, array([1, 0, 2]), axis=1)[1])", 16},
    {"repeat(x, array([1, 0, 2, 0, 1, 0]))[-1]", 5},
    {"size(repeat(x, array([0, 0]), axis=0))", 0},
    {"mode == \"relu\"", 1},
    {"mode != 'relu'", 0},
    {"mask is None", 1},
    {"mask is not None", 0},
    {"n is None", 0},
    {"mask == None and mode != None", 1},
    {"x.dtype == 'float32'", 1},
    {"out.dtype == 'int8' and out.shape[1] == out.size / 2 and out.ndim == 2", 1},
    {"floor(n / 3)", 1},
    {"round(2.5) + round(3.5)", 6},
    {"cast(1.0009765625 + 0.00048828125, 'float16')", 1.001953125L},
    {"cast(300, 'uint8')", 44},
    {"cast(200, 'int8')", -56},
    {"cast(9, 'int4')", -7},
    {"cast(-2.7, 'int32')", -2},
    {"cast(3, 'bool')", 1},
    {"isnan(cast(nan, 'int32'))", 1},
    {"[1, 2, 3][1]", 2},
    {"sum((1, 2, 3,))", 6},
    {"zeros((2, 3)).shape[1]", 3},
    {"sum((1, 2) + [n, 5])", 12},
    {"len((1, 2) + ())", 2},
    {"reshape(x, x.shape[:-1] + (3, 1)).shape[2]", 1},
    {"len(shape(x) + x.shape[1:])", 3},
    {"len(x.shape + 1)", 2},
    {"(x.shape + array([1, 2]))[1]", 5},
    {"sum(ones(()))", 1},
    {"(0x7fffffffffffffff * array([3]))[0]", 0x7ffffffffffffffdL},
};

TEST(the_range_tells_what_was_worked_out)
{
  static const struct {
    const char *text;
    long double least, most;
    bool cancels;
  } rows[] = {
      {"h * 4.0 - 2.0", 8, 10, false},
      {"sum(x) + 0.5", 21, 21.5L, false},
      {"9.0e-31 * 3.0e8 ** 2", 8.1e-14L, 9.0e16L, false},
      {"(h + 0.5) * 1.0e-20", 3.0e-20L, 3, false},
      {"h - h + 1.0", 1, 1, false},
      {"1 + 2 - 3", 3, 3, false},
      {"0.1 + 0.2 - 0.3", 0, 0.3L, true},
      {"sum(array([0.1, 0.2, -0.3]))", 0, 0.3L, true},
      {"sum(array([0.5, 2.0]))", 0.5L, 2.5L, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    ExpressionRange range = {0};
    const ExpressionScope with_range = {.lookup = look_up, .range = &range};
    ExpressionError error;
    ExpressionValue value;
    Expression *expression = parsed(rows[i].text);
    ck_assert_msg(expression_evaluate(expression, &with_range, &value, &error), "%s: %s",
                  rows[i].text, error.message);
    ck_assert_msg(range.cancels == rows[i].cancels, "%s", rows[i].text);
    if (rows[i].least > 0)
      ck_assert_msg(fabsl(range.least / rows[i].least - 1) < 1e-9L, "%s: %Lg", rows[i].text,
                    range.least);
    ck_assert_msg(fabsl(range.most / rows[i].most - 1) < 1e-9L, "%s: %Lg", rows[i].text,
                  range.most);
    expression_value_free(&value);
    expression_free(expression);
  }
}

// A tie that rests on what was rounded comes out both ways; what float32 holds stays as it is.
TEST(steps_may_be_off_by_roundings)
{
  static const struct {
    const char *text;
    long double low, high;
  } rows[] = {
      {"round((2.0 + 0.0) / (4.0 / 255.0))", 127, 128},
      {"round(2.0 * 63.75)", 128, 128},
      {"argmax(array([1.0, 1.0]) / 3.0)", 0, 0},
      {"n / 8", 0.5L, 0.5L},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    Expression *expression = parsed(rows[i].text);
    long double least = HUGE_VALL, most = -HUGE_VALL;
    for (int sign = -1; sign <= 1; sign += 2) {
      const ExpressionScope off = {.lookup = look_up, .roundings = sign * 0x1p-22L};
      ExpressionError error;
      long double value = 0;
      ck_assert_msg(expression_number(expression, &off, &value, &error), "%s: %s", rows[i].text,
                    error.message);
      least = fminl(least, value);
      most = fmaxl(most, value);
    }
    ck_assert_msg(least == rows[i].low && most == rows[i].high, "%s: %Lg to %Lg", rows[i].text,
                  least, most);
    expression_free(expression);
  }
}

TEST(an_expression_comes_to_a_number, .rows = ROWS(numbers))
{
  ExpressionError error;
  long double value = -4711;
  Expression *expression = parsed(numbers[_i].text);
  bool worked = expression_number(expression, &scope, &value, &error);
  ck_assert_msg(worked, "%s: %zu: %s", numbers[_i].text, error.position, error.message);
  ck_assert_msg(value == numbers[_i].value, "%s: %Lg", numbers[_i].text, value);
  ck_assert_str_eq(expression_text(expression), numbers[_i].text);
  expression_free(expression);
}

// --- Texts that are no expressions ---------------------------------------------------------------

static const struct {
  const char *text;
  size_t position;
  const char *message;  // or how it begins
} broken[] = {
    {"", 1, "a value expected"},
    {"   ", 4, "a value expected"},
    {"1 2", 3, "an operator or the end expected"},
    {"1 +", 4, "a value expected"},
    {"1 + * 2", 5, "a value expected"},
    {"(1", 3, "`)` expected, for the bracket at character 1"},
    {"x[1", 4, "`]` expected, for the bracket at character 2"},
    {"(1]", 3, "`)` expected"},
    {"1)", 2, "an operator or the end expected"},
    {"n (2)", 1, "unknown function `n`; known: abs, all, any, "},
    {"relu(x)", 1, "unknown function `relu`; known: abs, all, any, "},
    {"3(2)", 2, "only functions can be called: their names are known"},
    {"sum(x, axes=1)", 8, "sum has no `axes`: it is sum(x, axis=None, keepdims=False)"},
    {"sum()", 1, "sum lacks `x`: it is sum(x, axis=None, keepdims=False)"},
    {"sum(x, 1, 0, 3)", 15, "too many arguments: it is sum(x, axis=None, keepdims=False)"},
    {"sum(x, axis=1, 0)", 17, "a value behind one with a keyword has to have one, too"},
    {"sum(x, axis=)", 13, "a value expected"},
    {"sum(x, x=1)", 1, "`x` is given twice"},
    {"exp(x", 6, "`)` expected, for the bracket at character 1"},
    {"x[]", 3, "an index expected"},
    {"x[1:2:3:4]", 8, "`]` or `,` expected"},
    {"x[... 1]", 7, "an operator, `:`, `,` or `]` expected"},
    {"1:2", 2, "an operator or the end expected"},
    {"...", 1, "`...` stands alone in an index: x[..., 0]"},
    {"x.rows", 3, "unknown attribute `rows`; known: shape, size, ndim, T, dtype"},
    {"x.3", 2, "an operator or the end expected"},
    {"x = 3", 3, "an operator or the end expected"},
    {"1 if n", 7, "`else` expected"},
    {"1 else 2", 3, "`else` without `if`"},
    {"1 if 2 if 3 else 4 else 5", 8, "`else` expected"},
    {"(1 if n)", 8, "`else` expected"},
    {"2 * not n", 5, "a value expected; write (not ...)"},
    {"n not n", 3, "an operator expected"},
    {"n $ m", 3, "`$` is not allowed here"},
    {"n \xc3\xa4", 3, "the character is not allowed here"},
    {"'\xc3\xa4\xc3\xb6' $", 6, "`$` is not allowed here"},
    {"'abc", 1, "the string has no end: `'` expected"},
    {"'a\\n'", 3, "a string holds no backslash"},
    {"18446744073709551616", 1, "an integer has at most 64 bits"},
    {"0x", 1, "a number is written as 12, 0x1f, 0b11, 1.5 or 1e-3"},
    {"1e", 1, "a number is written as 12, 0x1f, 0b11, 1.5 or 1e-3"},
    {"12ab", 1, "a number is written as 12, 0x1f, 0b11, 1.5 or 1e-3"},
    {"(,)", 2, "a value expected"},
    {"and 1", 1, "a value expected"},
    {"if", 1, "a value expected"},
    {"a_name_that_is_longer_than_any_that_a_signature_may_have_in_its_file", 1,
     "a name has at most 63 characters, this one has 68"},
};

TEST(the_place_that_is_wrong_is_told, .rows = ROWS(broken))
{
  ExpressionError error;
  const char *text = broken[_i].text, *message = broken[_i].message;
  Expression *expression = expression_parse(text, &error);
  ck_assert_msg(expression == NULL, "%s", text);
  ck_assert_msg(error.position == broken[_i].position, "%s: %zu: %s", text, error.position,
                error.message);
  ck_assert_msg(strncmp(error.message, message, strlen(message)) == 0, "%s: %s", text,
                error.message);
  ck_assert_msg(strlen(error.message) == strlen(message) || message[strlen(message) - 1] == ' ',
                "%s: %s", text, error.message);
}

// All functions fit in the message.
TEST(the_message_lists_every_function)
{
  ExpressionError error;
  ck_assert_ptr_null(expression_parse("relu(x)", &error));
  ck_assert_msg(strstr(error.message, ", zeros") != NULL, "%s", error.message);
}

// --- What fails when it is worked out ------------------------------------------------------------

static const struct {
  const char *text;
  size_t position;
  const char *message;
} failing[] = {
    {"1 + y", 5, "unknown name `y`"},
    {"x + x[0, :2]", 3, "an array of shape (2,) does not go with an array of shape (2, 3)"},
    {"1 + x[5]", 6, "index 5 is outside an extent of 2"},
    {"x[0, 0, 0]", 2, "3 indexes for an array of 2 dimensions"},
    {"x[0.5]", 2, "an index is an integer, not a float"},
    {"x[x > 1]", 2, "conditions are no index: use where(condition, a, b)"},
    {"x[::0]", 2, "the step of a slice is not 0"},
    {"x & 1", 3, "bits are those of integers: use cast(x, \"int64\")"},
    {"1 << -1", 3, "a shift by a negative number"},
    {"2 ** 64", 3, "an integer of more than 64 bits"},
    {"n * 4611686018427387904 * 4", 3, "an integer of more than 64 bits"},
    {"x @ x", 3, "an array of shape (2, 3) @ an array of shape (2, 3): the inner extents differ"},
    {"n @ 2", 3, "@ multiplies arrays, not numbers"},
    {"mode + 1", 6, "the left side is an array or a number, not a string"},
    {"mask + 1", 6, "the left side is an array or a number, not None"},
    {"mode < 'x'", 6, "strings, tuples and None have no order"},
    {"n is 4", 3, "`is` compares with None only"},
    {"1 if x > 2 else 3", 3, "`if` takes one condition, not an array: use where(c, a, b)"},
    {"sum(x, axis=2)", 1, "axis 2 of an array of 2 dimensions"},
    {"sum(x, axis=(0, 0))", 1, "an axis is named twice"},
    {"reshape(x, (4, 2))", 1, "6 elements for a shape of 8"},
    {"transpose(x, (0, 0))", 1, "axes names each of 2 axes once"},
    {"table['gamma']", 6, "unknown entry"},
    {"parts[2]", 6, "index 2 is outside a tuple of 2"},
    {"table[1:]", 6, "the sliced value is an array or a number, not a map"},
    {"cast(x, 'half')", 1, "unknown type; known: bool, int1 to int64, uint1 to uint64, "},
    {"bincount([1, 5], 3)", 1, "5 is outside 3 bins"},
    {"max(zeros((0,)))", 1, "no elements have no maximum or minimum"},
    {"stack((x, n))", 1, "the arrays have different numbers of dimensions"},
    {"zeros((1, 1, 1, 1, 1, 1, 1, 1, 1))", 1, "shape has at most 8 numbers"},
    {"len(n)", 1, "a number has no length"},
};

TEST(what_fails_says_where, .rows = ROWS(failing))
{
  ExpressionError error;
  ExpressionValue value;
  const char *text = failing[_i].text, *message = failing[_i].message;
  Expression *expression = parsed(text);
  ck_assert_msg(!expression_evaluate(expression, &scope, &value, &error), "%s", text);
  ck_assert_int_eq(value.kind, EXPRESSION_NONE);
  ck_assert_msg(error.position == failing[_i].position, "%s: %zu: %s", text, error.position,
                error.message);
  ck_assert_msg(strncmp(error.message, message, strlen(message)) == 0, "%s: %s", text,
                error.message);
  expression_free(expression);
}

// --- Extents and conditions ----------------------------------------------------------------------

#define OF_OUTPUT \
  "`out` is an output: its shape and dtype are known before the call, and not what it holds"
#define OF_OTHER "`f` is a function or an object: nothing is known of it but whether it is None"

TEST(rows_of_numbers_become_an_array)
{
  static const struct {
    const char *text;
    int32_t rank;  // -1: it is no array
    size_t count;
    long double last;
  } rows[] = {{"(1, 2.5, n)", 1, 3, 4},
              {"((1, 2), (3, 4), (5, True))", 2, 6, 1},
              {"x", 2, 6, 6},
              {"n", 0, 1, 4},
              {"(1, (2, 3))", -1, 0, 0},
              {"table", -1, 0, 0},
              {"mode", -1, 0, 0},
              {"None", -1, 0, 0}};
  for (int i = 0; i < ROWS(rows); ++i) {
    ExpressionError error;
    ExpressionValue value = {0};
    Expression *expression = parsed(rows[i].text);
    ck_assert_msg(expression_evaluate(expression, &scope, &value, &error), "%s: %s", rows[i].text,
                  error.message);
    const bool made = expression_value_make_array(&value);
    ck_assert_msg(made == (rows[i].rank >= 0), "%s", rows[i].text);
    if (made) {
      ck_assert_int_eq(value.rank, rows[i].rank);
      ck_assert_uint_eq(value.count, rows[i].count);
      ck_assert(value.elements[value.count - 1] == rows[i].last);
    }
    expression_value_free(&value);
    expression_free(expression);
  }
}

TEST(an_extent_is_an_integer)
{
  static const struct {
    const char *text;
    int64_t value;
    const char *message;  // NULL: it is one
  } rows[] = {
      {"2*n", 8, NULL},
      {"n / 2", 2, NULL},
      {"-n", -4, NULL},
      {"n / 3", 0, "an integer expected, this is 1.33333"},
      {"n // k", 0, "an integer expected, this is inf"},
      {"2 ** 63", 0, "an integer expected, this is 9.22337e+18"},
      {"x", 0, "a single number expected, this is an array of shape (2, 3)"},
      {"out", 0, OF_OUTPUT},
      {"out[0, 0]", 0, OF_OUTPUT},
      {"out.T[0, 0]", 0, OF_OUTPUT},
      {"len((out, n))", 0, OF_OUTPUT},
      {"len(out)", 2, NULL},
      {"size(out)", 6, NULL},
      {"ndim(out)", 2, NULL},
      {"shape(out)[1]", 3, NULL},
      {"sum(out)", 0, OF_OUTPUT},
      {"1 if out is None else 2", 2, NULL},
      {"1 if f is not None and not (f is None) else 2", 1, NULL},
      {"f", 0, OF_OTHER},
      {"1 if f == None else 2", 0, OF_OTHER},
      {"1 if n == 4 and f is n else 2", 0, OF_OTHER},
      {"mode", 0, "a single number expected, this is a string"},
      {"parts", 0, "a single number expected, this is a tuple"},
      {"table", 0, "a single number expected, this is a map"},
  };
  for (int i = 0; i < ROWS(rows); ++i) {
    ExpressionError error;
    int64_t value = 0;
    Expression *expression = parsed(rows[i].text);
    bool worked = expression_integer(expression, &scope, &value, &error);
    ck_assert_msg(worked == (rows[i].message == NULL), "%s", rows[i].text);
    ck_assert_int_eq(value, rows[i].value);
    if (!worked) ck_assert_str_eq(error.message, rows[i].message);
    expression_free(expression);
  }
}

TEST(a_condition_holds_for_all_elements)
{
  static const struct {
    const char *text;
    bool holds;
  } rows[] = {
      {"x > 0", true},        {"x > 1", false},           {"x < 7 and n == 4", true},
      {"0 < x < 6", false},   {"0 < x <= 6", true},       {"x[:0] > 7", true},
      {"not x == 7", true},   {"1 <= k <= n", false},     {"k != 0 or x != 3", false},
      {"parts[0] < 3", true}, {"(1, 2) == [1, 2]", true}, {"n % 4 == 0", true},
  };
  for (int i = 0; i < ROWS(rows); ++i) {
    ExpressionError error;
    bool holds = !rows[i].holds;
    Expression *expression = parsed(rows[i].text);
    ck_assert(expression_holds(expression, &scope, &holds, &error));
    ck_assert_msg(holds == rows[i].holds, "%s", rows[i].text);
    expression_free(expression);
  }
}

TEST(strings_are_no_condition)
{
  ExpressionError error;
  bool holds;
  Expression *expression = parsed("mode");
  ck_assert(!expression_holds(expression, &scope, &holds, &error));
  ck_assert_str_eq(error.message, "a condition expected, this is a string");
  expression_free(expression);
}

// --- Names ---------------------------------------------------------------------------------------

TEST(names_are_listed_once)
{
  Expression *expression = parsed("m + exp(x[n:m]) if n else sum(x, axis=inf)");
  static const char *const names[] = {"m", "x", "n"};
  for (size_t i = 0; i < 3; ++i) ck_assert_str_eq(expression_name(expression, i), names[i]);
  ck_assert_ptr_null(expression_name(expression, 3));
  ck_assert_uint_eq(expression_name_position(expression, 1), 9);
  ck_assert_uint_eq(expression_name_position(expression, 3), 0);
  expression_free(expression);
}

TEST(each_name_is_looked_up_once)
{
  ExpressionError error;
  int asked = 0;
  long double value;
  ExpressionScope counting = {.lookup = look_up, .context = &asked};
  Expression *expression = parsed("n + n * n + (m if k else k)");
  ck_assert(expression_number(expression, &counting, &value, &error));
  ck_assert_int_eq(asked, 2);
  expression_free(expression);
}

TEST(what_may_be_a_name)
{
  static const char *const good[] = {"x", "_", "n1", "In", "sum", "e", "in"};
  static const char *const bad[] = {"", "1x", "x y", "and", "None", "pi", "if", "x.y", "\xc3\xa4"};
  for (int i = 0; i < ROWS(good); ++i) ck_assert_msg(expression_is_name(good[i]), "%s", good[i]);
  for (int i = 0; i < ROWS(bad); ++i) ck_assert_msg(!expression_is_name(bad[i]), "%s", bad[i]);
}

TEST(an_outcome_may_be_anything)
{
  static const struct {
    const char *text;
    ExpressionKind kind;
  } rows[] = {{"None", EXPRESSION_NONE},    {"mode", EXPRESSION_STRING},
              {"x", EXPRESSION_FLOAT},      {"x > 1", EXPRESSION_BOOL},
              {"n", EXPRESSION_INT},        {"table", EXPRESSION_TUPLE},
              {"(x, n)", EXPRESSION_TUPLE}, {"'a'", EXPRESSION_STRING}};
  for (int i = 0; i < ROWS(rows); ++i) {
    ExpressionError error;
    ExpressionValue value;
    Expression *expression = parsed(rows[i].text);
    ck_assert(expression_evaluate(expression, &scope, &value, &error));
    ck_assert_int_eq(value.kind, rows[i].kind);
    expression_free(expression);
    expression_value_free(&value);
  }
}
