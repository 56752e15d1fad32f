// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_array.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expression/expression_type.h"
#include "kernel/kernel_element.h"

static bool type_of(DLDataType dtype, ExpressionType *type)
{
  return dtype.lanes == 1 && expression_type_of(dtype.code, dtype.bits, type);
}

double kernel_tolerance_of(DLDataType dtype, double stated)
{
  ExpressionType type;
  if (stated >= 0) return stated;
  if (!type_of(dtype, &type) || !expression_type_is_float(&type)) return 0;
  if (type.bits == 64) return 1e-9;
  if (type.bits == 32) return 1e-4;
  if (type.bits == 16) return type.mantissa > 7 ? 1e-2 : 3e-2;
  return 2 * (double)expression_type_epsilon(&type);
}

// --- One element ---------------------------------------------------------------------------------

typedef struct Judge {
  ExpressionType type;
  bool whole;  // what is expected was worked out in integers: it wraps
  bool signed_zeros;
  double tolerance;
  long double slack;    // what the tolerance makes of the largest
  long double largest;  // of the type
} Judge;

// C leaves open what an integer becomes of a float that it cannot hold; a number close to one that
// is whole may have been cut off on either side.
static bool is_integer_of(const Judge *judge, long double seen, long double exact)
{
  long double due = expression_type_round(&judge->type, exact);
  if (isnan(due)) return true;
  if (seen == due || fabsl(seen - due) <= judge->tolerance * fabsl(due) + judge->slack) return true;
  if (judge->whole) return false;
  bool held = expression_type_round(&judge->type, truncl(exact)) == truncl(exact);
  if (!held) return true;
  return fabsl(exact - rintl(exact)) <= 1e-6L * fmaxl(1, fabsl(exact)) && seen == rintl(exact);
}

static bool is_beyond(const Judge *judge, long double seen, long double exact)
{
  const long double largest = judge->largest;
  bool near = fabsl(exact) <= largest * (1 + judge->tolerance);
  if (judge->type.kind == TYPE_FLOAT)
    return (isinf(seen) && signbit(seen) == signbit(exact)) ||
           (near && fabsl(seen) == largest && signbit(seen) == signbit(exact));
  // Without infinity libraries give NaN, or the largest.
  return isnan(seen) || (fabsl(seen) == largest && signbit(seen) == signbit(exact));
}

static bool is_float_of(const Judge *judge, long double seen, long double exact)
{
  long double due = expression_type_round(&judge->type, exact);
  if (isnan(exact)) return isnan(seen) || judge->type.kind == TYPE_FLOAT_FINITE;
  if (fabsl(exact) > judge->largest || isinf(due) || isnan(due))
    return is_beyond(judge, seen, exact);
  if (seen == due)
    return !judge->signed_zeros || due != 0 || signbit(seen) == signbit(due) ||
           judge->type.kind > TYPE_FLOAT_NAN;
  long double room = judge->tolerance * fabsl(due) + judge->slack;
  // One that is nearly too large may have become so.
  if (!isfinite(seen) && judge->tolerance > 0)
    return !isnan(seen) && signbit(seen) == signbit(due) && fabsl(due) + room >= judge->largest;
  return fabsl(seen - due) <= room;
}

static bool is_close(const Judge *judge, long double seen, long double exact)
{
  if (judge->type.kind == TYPE_BOOL) return (seen != 0) == (exact != 0);
  return expression_type_is_float(&judge->type) ? is_float_of(judge, seen, exact)
                                                : is_integer_of(judge, seen, exact);
}

// --- All of them ---------------------------------------------------------------------------------

// Where the element of `expected` is that element `index` of an array of this shape is compared
// with.
static size_t place_of(const ExpressionValue *expected, const KernelArray *array, size_t index)
{
  size_t place = 0, stride = 1;
  for (int32_t k = array->rank; k-- > 0;) {
    size_t at = index % (size_t)array->shape[k];
    int32_t own = k - (array->rank - expected->rank);
    index /= (size_t)array->shape[k];
    if (own < 0) continue;
    if (expected->shape[own] != 1) place += at * stride;
    stride *= (size_t)expected->shape[own];
  }
  return place;
}

static bool goes_with(const ExpressionValue *expected, const KernelArray *array)
{
  if (expected->rank > array->rank) return false;
  for (int32_t k = 0; k < expected->rank; ++k) {
    int64_t extent = array->shape[k + array->rank - expected->rank];
    if (expected->shape[k] != 1 && expected->shape[k] != extent) return false;
  }
  return true;
}

static void say_shape(int32_t rank, const int64_t *shape, char *text, size_t capacity)
{
  size_t at = 0;
  text[0] = '\0';
  for (int32_t k = 0; k < rank && at < capacity; ++k)
    at += (size_t)snprintf(text + at, capacity - at, "%s%lld", k ? ", " : "", (long long)shape[k]);
}

static void say_index(const KernelArray *array, size_t index, char text[96])
{
  int64_t at[EXPRESSION_RANK_MAX];
  if (array->rank < 2 || array->rank > EXPRESSION_RANK_MAX) {
    snprintf(text, 96, "%zu", index);
    return;
  }
  for (int32_t k = array->rank; k-- > 0; index /= (size_t)array->shape[k])
    at[k] = (int64_t)(index % (size_t)array->shape[k]);
  char numbers[80];
  say_shape(array->rank, at, numbers, sizeof numbers);
  snprintf(text, 96, "[%s]", numbers);
}

static long double largest_of(const ExpressionValue *value)
{
  long double largest = 0;
  for (size_t i = 0; i < value->count; ++i)
    if (isfinite(value->elements[i]) && fabsl(value->elements[i]) > largest)
      largest = fabsl(value->elements[i]);
  return largest;
}

static void say_number(long double number, bool whole, char text[48])
{
  if (number == 0)
    snprintf(text, 48, signbit(number) && !whole ? "-0" : "0");
  else if (whole && truncl(number) == number)
    snprintf(text, 48, "%.0Lf", number);
  else
    snprintf(text, 48, "%.9Lg", number);
}

static bool expect_first(const char *at, const char *what, const KernelArray *actual,
                         const ExpressionValue *expected, const Judge *judge)
{
  size_t first = 0, wrong = 0;
  long double seen = 0, shown = 0;
  for (size_t i = 0; i < actual->count; ++i) {
    if (!kernel_element_number(actual->bytes, (int64_t)(i * actual->dtype.bits), actual->dtype,
                               &seen) ||
        is_close(judge, seen, expected->elements[place_of(expected, actual, i)]))
      continue;
    if (wrong++ == 0) {
      first = i;
      shown = seen;
    }
  }
  char text[320], index[96], due[48], is[48];
  bool whole = !expression_type_is_float(&judge->type);
  long double exact = actual->count ? expected->elements[place_of(expected, actual, first)] : 0;
  if (!wrong) kernel_element_number(actual->bytes, 0, actual->dtype, &shown);
  say_index(actual, first, index);
  say_number(expression_type_round(&judge->type, exact), whole, due);
  say_number(shown, whole, is);
  snprintf(text, sizeof text, "%.80s, element %s: %s, within %g of it", what, index, due,
           judge->tolerance);
  return expect_that_(at, wrong == 0, text, "%s; %zu of %zu elements differ", is, wrong,
                      actual->count);
}

bool expect_close_(const char *at, const char *what, const KernelArray *actual,
                   const ExpressionValue *expected, double tolerance)
{
  Judge judge = {.tolerance = kernel_tolerance_of(actual->dtype, tolerance),
                 .signed_zeros = expected->keeps_zeros};
  char text[224], shape[96], seen[96];
  if (!type_of(actual->dtype, &judge.type)) return true;
  if (!goes_with(expected, actual)) {
    say_shape(expected->rank, expected->shape, shape, sizeof shape);
    say_shape(actual->rank, actual->shape, seen, sizeof seen);
    snprintf(text, sizeof text, "%.80s has the shape [%s]", what, shape);
    return expect_that_(at, false, text, "[%s]", seen);
  }
  if (actual->count == 0) return true;
  if (expression_type_is_float(&judge.type)) judge.largest = expression_type_largest(&judge.type);
  judge.signed_zeros &= judge.tolerance == 0;
  judge.whole = expected->kind != EXPRESSION_FLOAT;
  judge.slack = judge.tolerance * largest_of(expected);
  return expect_first(at, what, actual, expected, &judge);
}

bool kernel_array_value(const KernelArray *array, ExpressionValue *value)
{
  ExpressionType type;
  if (!type_of(array->dtype, &type)) return false;
  ExpressionKind kind = expression_type_is_float(&type) ? EXPRESSION_FLOAT
                        : type.kind == TYPE_BOOL        ? EXPRESSION_BOOL
                                                        : EXPRESSION_INT;
  if (!expression_value_new(value, kind, array->rank, array->shape)) return false;
  for (size_t i = 0; i < value->count; ++i)
    kernel_element_number(array->bytes, (int64_t)(i * array->dtype.bits), array->dtype,
                          &value->elements[i]);
  return true;
}
