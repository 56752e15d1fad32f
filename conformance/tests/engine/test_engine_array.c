// SPDX-License-Identifier: Apache-2.0
// Elements of tensors against what is expected of them: how close, and what is said if they are not.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expression/expression_type.h"
#include "kernel/kernel_array.h"
#include "kernel/kernel_element.h"
#include "test_engine.h"

static Evidence *evidence;

static void start_recording(void)
{
  evidence = engine_evidence(42);
  expect_record_into(evidence);
}

TEST_GROUP(array, .setup = start_recording);

enum { COUNT = 4 };

static const DLDataType float16 = {kDLFloat, 16, 1}, float32 = {kDLFloat, 32, 1},
                        float64 = {kDLFloat, 64, 1}, int8 = {kDLInt, 8, 1}, int64 = {kDLInt, 64, 1},
                        truth = {kDLBool, 8, 1}, e4m3fn = {kDLFloat8_e4m3fn, 8, 1};

// The outcome for elements that are `seen`, where `expected` is due.
static bool judged(DLDataType dtype, const double *seen, const long double *expected,
                   ExpressionKind kind, double tolerance)
{
  unsigned char bytes[COUNT * 8] = {0};
  int64_t extent = COUNT;
  ExpressionValue value;
  ck_assert(expression_value_new(&value, kind, 1, &extent));
  for (int i = 0; i < COUNT; ++i) {
    kernel_element_write(bytes, (int64_t)i * dtype.bits, dtype, seen[i]);
    value.elements[i] = expected[i];
  }
  KernelArray array = {bytes, dtype, 1, &extent, COUNT};
  bool right = expect_close("y", &array, &value, tolerance);
  expression_value_free(&value);
  return right;
}

static const struct {
  const char *what;
  const DLDataType *dtype;
  double seen[COUNT];
  long double expected[COUNT];
  ExpressionKind kind;
  double tolerance;
  bool right;
} rows[] = {
    {"equal", &float32, {1, 2, 3, 4}, {1, 2, 3, 4}, EXPRESSION_INT, 0, true},
    {"rounded to the type", &float16, {0.1, 0, 0, 0}, {0.1L}, EXPRESSION_FLOAT, 0, true},
    {"off by a little", &float32, {1.00001, 0, 0, 0}, {1}, EXPRESSION_FLOAT, -1, true},
    {"off by more", &float32, {1.01, 0, 0, 0}, {1}, EXPRESSION_FLOAT, -1, false},
    {"bit for bit", &float32, {1.00001, 0, 0, 0}, {1}, EXPRESSION_FLOAT, 0, false},
    {"off beside a large one", &float32, {1e6, 1, 0, 0}, {1e6L, 0}, EXPRESSION_FLOAT, -1, true},
    {"more precise", &float64, {1.00001, 0, 0, 0}, {1}, EXPRESSION_FLOAT, -1, false},
    {"as stated", &float64, {1.01, 0, 0, 0}, {1}, EXPRESSION_FLOAT, 0.1, true},
    {"NaN", &float32, {NAN, 0, 0, 0}, {NAN}, EXPRESSION_FLOAT, -1, true},
    {"NaN in the place of a number", &float32, {NAN, 0, 0, 0}, {1}, EXPRESSION_FLOAT, 1, false},
    {"a number in the place of NaN", &float32, {1, 0, 0, 0}, {NAN}, EXPRESSION_FLOAT, 1, false},
    {"infinity", &float32, {-INFINITY, 0, 0, 0}, {-HUGE_VALL}, EXPRESSION_FLOAT, 0, true},
    {"the other infinity", &float32, {INFINITY, 0, 0, 0}, {-HUGE_VALL}, EXPRESSION_FLOAT, 1, false},
    {"too large for it", &float16, {INFINITY, 0, 0, 0}, {1e6L}, EXPRESSION_FLOAT, -1, true},
    {"infinity for no reason", &float16, {INFINITY, 0, 0, 0}, {6e3L}, EXPRESSION_FLOAT, -1, false},
    {"too large, NaN", &e4m3fn, {NAN, 0, 0, 0}, {1e6L}, EXPRESSION_FLOAT, -1, true},
    {"too large, the largest", &e4m3fn, {448, 0, 0, 0}, {1e6L}, EXPRESSION_FLOAT, -1, true},
    {"too large, another", &e4m3fn, {1, 0, 0, 0}, {1e6L}, EXPRESSION_FLOAT, -1, false},
    {"a step", &e4m3fn, {1.125, 0, 0, 0}, {1}, EXPRESSION_FLOAT, -1, true},
    {"two steps", &e4m3fn, {1.5, 0, 0, 0}, {1}, EXPRESSION_FLOAT, -1, false},
    {"integers", &int64, {1, -2, 3, 4}, {1, -2, 3, 4}, EXPRESSION_INT, -1, true},
    {"other integers", &int64, {1, -2, 3, 5}, {1, -2, 3, 4}, EXPRESSION_INT, -1, false},
    {"integers that wrap", &int8, {-128, 0, 0, 0}, {128}, EXPRESSION_INT, -1, true},
    {"a fraction is cut off", &int8, {2, -2, 0, 0}, {2.75L, -2.75L}, EXPRESSION_FLOAT, -1, true},
    {"a fraction is not rounded", &int8, {3, 0, 0, 0}, {2.75L}, EXPRESSION_FLOAT, -1, false},
    {"nearly whole", &int8, {3, 3, 0, 0}, {2.9999999L, 3}, EXPRESSION_FLOAT, -1, true},
    {"NaN as an integer", &int8, {7, 0, 0, 0}, {NAN}, EXPRESSION_FLOAT, -1, true},
    {"a float beyond int8", &int8, {7, 0, 0, 0}, {1e5L}, EXPRESSION_FLOAT, -1, true},
    {"stated for integers", &int8, {100, 0, 0, 0}, {101}, EXPRESSION_INT, 0.01, true},
    {"truth", &truth, {1, 0, 1, 0}, {1, 0, 5, 0}, EXPRESSION_INT, -1, true},
    {"no truth", &truth, {1, 1, 1, 0}, {1, 0, 1, 0}, EXPRESSION_BOOL, -1, false},
};

TEST(elements_are_close_or_not, .rows = ROWS(rows))
{
  bool right =
      judged(*rows[_i].dtype, rows[_i].seen, rows[_i].expected, rows[_i].kind, rows[_i].tolerance);
  ck_assert_msg(right == rows[_i].right, "%s", rows[_i].what);
  ck_assert_uint_eq(atomic_load(&evidence->failed), right ? 0 : 1);
  ck_assert_uint_eq(atomic_load(&evidence->held), right ? 1 : 0);
}

TEST(the_first_that_differs_is_named)
{
  float elements[2][3] = {{1, 2, 3}, {4, 9, 9}};
  int64_t shape[] = {2, 3}, row[] = {3}, other[] = {2};
  KernelArray array = {(const unsigned char *)elements, float32, 2, shape, 6};
  ExpressionValue value;
  ck_assert(kernel_array_value(&array, &value));
  value.elements[4] = 5.5L;
  value.elements[5] = 6;
  ck_assert(!expect_close("y", &array, &value, 0.001));
  ck_assert_str_eq(evidence->failures[0].expected, "y, element [1, 1]: 5.5, within 0.001 of it");
  ck_assert_str_eq(evidence->failures[0].seen, "9; 2 of 6 elements differ");
  expression_value_free(&value);
  start_recording();
  // A row is repeated; one of another length does not go with it.
  ck_assert(expression_value_new(&value, EXPRESSION_INT, 1, row));
  ck_assert(!expect_close("y", &array, &value, 0));
  ck_assert_str_eq(evidence->failures[0].seen, "1; 6 of 6 elements differ");
  expression_value_free(&value);
  start_recording();
  ck_assert(expression_value_new(&value, EXPRESSION_INT, 1, other));
  ck_assert(!expect_close("y", &array, &value, 0));
  ck_assert_str_eq(evidence->failures[0].expected, "y has the shape [2]");
  ck_assert_str_eq(evidence->failures[0].seen, "[2, 3]");
  expression_value_free(&value);
}

TEST(what_is_no_number_is_not_judged)
{
  const DLDataType complex = {kDLComplex, 64, 1};
  ExpressionValue value;
  int64_t extent = 1;
  unsigned char bytes[8] = {0};
  KernelArray array = {bytes, complex, 1, &extent, 1};
  ck_assert(!kernel_array_value(&array, &value));
  ck_assert(expression_value_scalar(&value, EXPRESSION_INT, 1));
  ck_assert(expect_close("y", &array, &value, 0));
  ck_assert_uint_eq(atomic_load(&evidence->held), 0);
  expression_value_free(&value);
}
