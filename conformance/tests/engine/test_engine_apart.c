// SPDX-License-Identifier: Apache-2.0
// Whether what two builds come to is the same, and what explains that it is not.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_apart.h"
#include "unit/unit.h"

static const DLDataType f32 = {kDLFloat, 32, 1}, f64 = {kDLFloat, 64, 1}, u8 = {kDLUInt, 8, 1};

static ApartOutcome *new_outcome(void)
{
  ApartOutcome *outcome = calloc(1, sizeof *outcome);
  ck_assert_ptr_nonnull(outcome);
  outcome->end = APART_SERVED;
  return outcome;
}

static ApartOutcome *of_elements(DLDataType dtype, const double *numbers, unsigned count)
{
  ApartOutcome *outcome = new_outcome();
  const uint32_t width = dtype.bits / 8u;
  outcome->count = 1;
  outcome->used = width * count;
  outcome->parts[0] = (ApartPart){0, width * count, width, dtype, true, "y"};
  for (unsigned i = 0; i < count; ++i) {
    const float single = (float)numbers[i];
    const unsigned char octet = (unsigned char)numbers[i];
    const void *from = dtype.bits == 64   ? (const void *)&numbers[i]
                       : dtype.bits == 32 ? (const void *)&single
                                          : (const void *)&octet;
    memcpy(outcome->bytes + i * width, from, width);
  }
  return outcome;
}

static ApartOutcome *of_one(DLDataType dtype, double number)
{
  return of_elements(dtype, &number, 1);
}

static const struct {
  DLDataType dtype;
  double one, other;
  bool near;
} pairs[] = {
    {{kDLFloat, 32, 1}, 1, 1.00001, true},
    {{kDLFloat, 32, 1}, 1, 1.001, false},
    {{kDLFloat, 64, 1}, 1, 1 + 1e-11, true},
    // As where a float32 was in between.
    {{kDLFloat, 64, 1}, 1, 1 + 1e-7, false},
    {{kDLFloat, 32, 1}, NAN, NAN, true},
    {{kDLFloat, 32, 1}, NAN, 1, false},
    {{kDLFloat, 32, 1}, INFINITY, 3e38, false},
    {{kDLFloat, 32, 1}, INFINITY, -INFINITY, false},
    {{kDLFloat, 32, 1}, 0.0, -0.0, true},
    {{kDLUInt, 8, 1}, 3, 4, false},
};

TEST(floats_may_lose_digits, .rows = ROWS(pairs))
{
  char difference[160] = "";
  ApartOutcome *one = of_one(pairs[_i].dtype, pairs[_i].one),
               *other = of_one(pairs[_i].dtype, pairs[_i].other);
  ck_assert_msg(kernel_apart_near(one, other, NULL, difference) == pairs[_i].near, "row %d: %s", _i,
                difference);
  free(one);
  free(other);
}

static const struct {
  unsigned count, differ;
  int by;
  bool near;
} roundings[] = {
    {32, 2, 1, true}, {32, 3, 1, false}, {32, 1, 2, false}, {32, 1, -1, true}, {8, 1, 1, false}};

TEST(few_of_many_integers_may_be_rounded_the_other_way, .rows = ROWS(roundings))
{
  double numbers[32] = {0}, others[32] = {0};
  char difference[160];
  for (unsigned i = 0; i < roundings[_i].count; ++i) {
    numbers[i] = 100 + (double)i;
    others[i] = numbers[i] + (i < roundings[_i].differ ? roundings[_i].by : 0);
  }
  ApartOutcome *one = of_elements(u8, numbers, roundings[_i].count);
  ApartOutcome *other = of_elements(u8, others, roundings[_i].count);
  ck_assert(kernel_apart_near(one, other, NULL, difference) == roundings[_i].near);
  // In another call of the same build they may not.
  ck_assert(!kernel_apart_close(one, other, difference));
  free(one);
  free(other);
}

TEST(the_difference_is_told)
{
  char difference[160];
  ApartOutcome *one = of_elements(f32, (double[]){1, 2, 3.5}, 3),
               *other = of_elements(f32, (double[]){1, 2, 3}, 3);
  ck_assert(!kernel_apart_near(one, other, NULL, difference));
  ck_assert_str_eq(difference, "element 2 of y is 3.5, not 3");
  other->parts[0].size = other->used = 8;
  ck_assert(!kernel_apart_near(one, other, NULL, difference));
  ck_assert_str_eq(difference, "the result has another form");
  free(one);
  free(other);
}

// What the call comes to here and there, there with all floats larger, there with each larger or smaller, and the largest float.
static const struct {
  const char *name;
  DLDataType dtype;
  double own, other, larger, apart, largest;
  bool explained;
} sensitive[] = {
    {"nothing moves it", {kDLFloat, 32, 1}, 2, 1, 1, 1, 1, false},
    {"it jumps", {kDLFloat, 32, 1}, 2, 1, 2, 1, 1, true},
    {"it jumps less far", {kDLFloat, 32, 1}, 20, 1, 2, 1, 1, false},
    {"it overflows", {kDLFloat, 32, 1}, NAN, 1, INFINITY, 1, 1, true},
    {"it becomes NaN for no reason", {kDLFloat, 32, 1}, NAN, 1, 1, 1, 1, false},
    {"neither is a number", {kDLFloat, 32, 1}, NAN, INFINITY, INFINITY, INFINITY, 1, true},
    {"numbers cancel out", {kDLFloat, 32, 1}, 1e-9, 0, 0, 0, 3, true},
    {"large numbers cancel out", {kDLFloat, 32, 1}, 100, 0, 0, 5000, 1e10, true},
    {"they are moved apart, by more than digits", {kDLFloat, 32, 1}, 0.5, 0, 0, 0.5, 3, false},
    {"a double has more digits", {kDLFloat, 64, 1}, 1e-9, 0, 0, 0, 3, false},
    {"a place jumps", {kDLUInt, 8, 1}, 3, 1, 2, 1, 1, true},
    {"a place is another one", {kDLUInt, 8, 1}, 3, 1, 1, 1, 1, false},
    {"equal ones are told apart", {kDLUInt, 8, 1}, 3, 1, 1, 3, 1, false},
};

TEST(last_digits_may_explain_it, .rows = ROWS(sensitive))
{
  const DLDataType dtype = sensitive[_i].dtype;
  ApartOutcome *own = of_one(dtype, sensitive[_i].own), *other = of_one(dtype, sensitive[_i].other);
  ApartSensitivity sensitivity = {.largest = sensitive[_i].largest};
  for (int k = 0; k < APART_LARGER; ++k)
    sensitivity.larger[k] = of_one(dtype, k == 2 ? sensitive[_i].larger : sensitive[_i].other);
  for (int k = 0; k < APART_APART; ++k) sensitivity.apart[k] = of_one(dtype, sensitive[_i].apart);
  ck_assert_msg(kernel_apart_explains(&sensitivity, own, other) == sensitive[_i].explained, "%s",
                sensitive[_i].name);
  // Another number of elements, or a refusal, where all floats are a little larger explains anything.
  free(sensitivity.larger[1]);
  sensitivity.larger[1] = of_elements(dtype, (double[]){1, 1}, 2);
  ck_assert(kernel_apart_explains(&sensitivity, own, other));
  sensitivity.larger[1] = of_one(dtype, sensitive[_i].other);
  sensitivity.larger[1]->end = APART_REFUSED;
  ck_assert(kernel_apart_explains(&sensitivity, own, other));
}

// One is served and the other refused: explained only where last digits decide that.
TEST(a_refusal_is_explained_by_one)
{
  ApartOutcome *own = of_one(f64, 1), *other = of_one(f64, 1);
  ApartSensitivity sensitivity = {.largest = 1};
  other->end = APART_REFUSED;
  for (int k = 0; k < APART_LARGER; ++k) {
    sensitivity.larger[k] = of_one(f64, 1);
    sensitivity.larger[k]->end = APART_REFUSED;
  }
  for (int k = 0; k < APART_APART; ++k) sensitivity.apart[k] = other;
  ck_assert(!kernel_apart_explains(&sensitivity, own, other));
  sensitivity.larger[3]->end = APART_SERVED;
  ck_assert(kernel_apart_explains(&sensitivity, own, other));
}

TEST(all_of_it_has_to_be_explained)
{
  ApartOutcome *own = of_elements(f64, (double[]){2, 7}, 2),
               *other = of_elements(f64, (double[]){1, 1}, 2);
  ApartSensitivity sensitivity = {.largest = 1};
  for (int k = 0; k < APART_LARGER; ++k)
    sensitivity.larger[k] = of_elements(f64, (double[]){2, 1}, 2);
  for (int k = 0; k < APART_APART; ++k) sensitivity.apart[k] = other;
  ck_assert(!kernel_apart_explains(&sensitivity, own, other));
  memcpy(own->bytes + 8, &(double){1 + 1e-12}, 8);
  ck_assert(kernel_apart_explains(&sensitivity, own, other));
}
