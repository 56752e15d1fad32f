// SPDX-License-Identifier: Apache-2.0
// Types of elements: what they hold.
#include <math.h>
#include <string.h>

#include "expression/expression_type.h"
#include "unit/unit.h"

static ExpressionType type_named(const char *name)
{
  ExpressionType type;
  ck_assert_msg(expression_type_find(name, strlen(name), &type), "%s", name);
  return type;
}

static const char *const small[] = {
    "float16",
    "bfloat16",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float4_e2m1fn",
    "int4",
    "uint4",
    "int8",
    "uint8",
    "int16",
    "uint1",
};

// Every pattern is a number that has this pattern; NaNs may have others.
TEST(patterns_and_numbers_belong_together, .rows = ROWS(small))
{
  ExpressionType type = type_named(small[_i]);
  long double before = -HUGE_VALL;
  (void)before;
  for (uint64_t bits = 0; bits >> type.bits == 0; ++bits) {
    long double value = expression_type_decode(&type, bits);
    long double again = expression_type_decode(&type, expression_type_encode(&type, value));
    ck_assert_msg(isnan(value) ? isnan(again) : expression_type_encode(&type, value) == bits,
                  "%s: %#x: %Lg", small[_i], (unsigned)bits, value);
    ck_assert(isnan(value) || expression_type_round(&type, value) == value);
  }
}

// Between two neighbours a number becomes the nearer, the even one if both are near.
TEST(numbers_are_rounded_to_the_nearest, .rows = ROWS(small))
{
  ExpressionType type = type_named(small[_i]);
  if (!expression_type_is_float(&type) || type.kind == TYPE_FLOAT_EXPONENT) return;
  for (uint64_t bits = 0; bits >> (type.bits - 1) == 0; ++bits) {
    long double low = expression_type_decode(&type, bits);
    long double high = expression_type_decode(&type, bits + 1);
    if (!(high > low) || isinf(high)) continue;
    long double middle = (low + high) / 2, step = (high - low) / 8;
    ck_assert(expression_type_round(&type, middle - step) == low);
    ck_assert(expression_type_round(&type, middle + step) == high);
    ck_assert(expression_type_round(&type, middle) == (bits & 1 ? high : low));
    ck_assert(expression_type_round(&type, -middle - step) == -high);
  }
}

static const struct {
  const char *name;
  long double largest;
} largest[] = {
    {"float16", 65504},        {"float32", 0x1.fffffep127L}, {"float64", 0x1.fffffffffffffp1023L},
    {"bfloat16", 0x1.fep127L}, {"float8_e3m4", 15.5L},       {"float8_e4m3", 240},
    {"float8_e4m3fn", 448},    {"float8_e4m3fnuz", 240},     {"float8_e4m3b11fnuz", 30},
    {"float8_e5m2", 57344},    {"float8_e5m2fnuz", 57344},   {"float8_e8m0fnu", 0x1p127L},
    {"float6_e2m3fn", 7.5L},   {"float6_e3m2fn", 28},        {"float4_e2m1fn", 6},
};

TEST(types_have_a_largest_number, .rows = ROWS(largest))
{
  ExpressionType type = type_named(largest[_i].name);
  long double most = largest[_i].largest, beyond = expression_type_round(&type, 2 * most);
  ck_assert_msg(expression_type_largest(&type) == most, "%s", largest[_i].name);
  ck_assert(expression_type_round(&type, most) == most);
  ck_assert(type.kind == TYPE_FLOAT          ? isinf(beyond)
            : type.kind == TYPE_FLOAT_FINITE ? beyond == most
                                             : isnan(beyond));
}

TEST(wide_floats_are_those_of_the_machine)
{
  ExpressionType single = type_named("float32"), twice = type_named("float64");
  static const double values[] = {0,     -0.0,        1,   -1.1,     1e-310, 4.9e-324, 1e308,
                                  1e-40, 1.17549e-38, 0.1, 16777217, -1e38,  HUGE_VAL, -HUGE_VAL};
  for (int i = 0; i < ROWS(values); ++i) {
    double value = values[i];
    float narrow = (float)value;
    uint64_t bits;
    uint32_t narrow_bits;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    ck_assert_msg(expression_type_encode(&twice, value) == bits, "%g", value);
    ck_assert_msg(expression_type_encode(&single, value) == narrow_bits, "%g", value);
    ck_assert(expression_type_decode(&twice, bits) == value);
    ck_assert(expression_type_decode(&single, narrow_bits) == narrow);
  }
  ck_assert_uint_eq(expression_type_encode(&single, NAN), 0x7fc00000);
}

TEST(integers_wrap_and_lose_their_fraction)
{
  ExpressionType signed64 = type_named("int64"), unsigned64 = type_named("uint64"),
                 eight = type_named("int8");
  ck_assert(expression_type_round(&signed64, 0x1p63L) == -0x1p63L);
  ck_assert(expression_type_round(&unsigned64, -1) == 0xffffffffffffffffULL);
  ck_assert(expression_type_round(&eight, 129.9L) == -127);
  ck_assert(expression_type_round(&eight, -0.9L) == 0);
  ck_assert(isnan(expression_type_round(&eight, NAN)));
  ck_assert(isnan(expression_type_round(&signed64, 0x1p64L)));
}

TEST(what_is_no_type)
{
  static const char *const names[] = {"",      "int",    "int0",    "int65",  "uint", "uint099",
                                      "float", "float8", "float17", "int8x4", "INT8", "int08"};
  ExpressionType type;
  for (int i = 0; i < ROWS(names); ++i)
    ck_assert_msg(!expression_type_find(names[i], strlen(names[i]), &type), "%s", names[i]);
  ck_assert(!expression_type_of(5, 64, &type));
  ck_assert(!expression_type_of(2, 80, &type));
  ck_assert(!expression_type_of(0, 0, &type));
}
