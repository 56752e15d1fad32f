// SPDX-License-Identifier: Apache-2.0
#include "expression/expression_type.h"

#include <math.h>
#include <string.h>

// --- The table -----------------------------------------------------------------------------------

enum { CODE_INT = 0, CODE_UINT = 1, CODE_BOOL = 6 };

static const struct {
  const char *name;
  ExpressionType type;
} types[] = {
    {"bool", {TYPE_BOOL, CODE_BOOL, 8, 0, 0}},
    {"float16", {TYPE_FLOAT, 2, 16, 10, 15}},
    {"float32", {TYPE_FLOAT, 2, 32, 23, 127}},
    {"float64", {TYPE_FLOAT, 2, 64, 52, 1023}},
    {"bfloat16", {TYPE_FLOAT, 4, 16, 7, 127}},
    {"float8_e3m4", {TYPE_FLOAT, 7, 8, 4, 3}},
    {"float8_e4m3", {TYPE_FLOAT, 8, 8, 3, 7}},
    {"float8_e4m3b11fnuz", {TYPE_FLOAT_ONE_ZERO, 9, 8, 3, 11}},
    {"float8_e4m3fn", {TYPE_FLOAT_NAN, 10, 8, 3, 7}},
    {"float8_e4m3fnuz", {TYPE_FLOAT_ONE_ZERO, 11, 8, 3, 8}},
    {"float8_e5m2", {TYPE_FLOAT, 12, 8, 2, 15}},
    {"float8_e5m2fnuz", {TYPE_FLOAT_ONE_ZERO, 13, 8, 2, 16}},
    {"float8_e8m0fnu", {TYPE_FLOAT_EXPONENT, 14, 8, 0, 127}},
    {"float6_e2m3fn", {TYPE_FLOAT_FINITE, 15, 6, 3, 1}},
    {"float6_e3m2fn", {TYPE_FLOAT_FINITE, 16, 6, 2, 3}},
    {"float4_e2m1fn", {TYPE_FLOAT_FINITE, 17, 4, 1, 1}},
};

enum { TYPE_COUNT = sizeof types / sizeof types[0] };

bool expression_type_of(uint8_t code, uint8_t bits, ExpressionType *type)
{
  *type = (ExpressionType){.code = code, .bits = bits};
  type->kind = code == CODE_INT ? TYPE_INT : TYPE_UINT;
  if (code == CODE_INT || code == CODE_UINT) return bits >= 1 && bits <= 64;
  type->kind = TYPE_BOOL;
  if (code == CODE_BOOL) return bits >= 1 && bits <= 64;
  for (size_t i = 0; i < TYPE_COUNT; ++i) {
    if (types[i].type.code != code || types[i].type.bits != bits) continue;
    *type = types[i].type;
    return true;
  }
  return false;
}

bool expression_type_find(const char *name, size_t size, ExpressionType *type)
{
  for (size_t i = 0; i < TYPE_COUNT; ++i) {
    if (strlen(types[i].name) != size || memcmp(types[i].name, name, size) != 0) continue;
    *type = types[i].type;
    return true;
  }
  unsigned bits = 0;
  size_t begin = size > 4 && memcmp(name, "uint", 4) == 0 ? 4 : 3;
  if (size <= begin || size > begin + 2 || memcmp(name, &"uint"[4 - begin], begin) != 0)
    return false;
  for (size_t i = begin; i < size; ++i) {
    if (name[i] < (i == begin ? '1' : '0') || name[i] > '9') return false;
    bits = bits * 10 + (unsigned)(name[i] - '0');
  }
  return expression_type_of(begin == 4 ? CODE_UINT : CODE_INT, (uint8_t)bits, type);
}

bool expression_type_is_float(const ExpressionType *type)
{
  return type->kind >= TYPE_FLOAT;
}

// --- Floats --------------------------------------------------------------------------------------

static int exponent_bits(const ExpressionType *type)
{
  return type->bits - type->mantissa - (type->kind == TYPE_FLOAT_EXPONENT ? 0 : 1);
}

long double expression_type_largest(const ExpressionType *type)
{
  int top = (1 << exponent_bits(type)) - 1 - type->bias;
  long double unit = ldexpl(1, -(int)type->mantissa);
  switch (type->kind) {
    case TYPE_FLOAT:
      return ldexpl(2 - unit, top - 1);
    case TYPE_FLOAT_NAN:
      return ldexpl(2 - 2 * unit, top);
    case TYPE_FLOAT_EXPONENT:
      return ldexpl(1, top - 1);
    default:
      return ldexpl(2 - unit, top);
  }
}

long double expression_type_epsilon(const ExpressionType *type)
{
  return expression_type_is_float(type) ? ldexpl(1, -(int)type->mantissa - 1) : 0;
}

// What a number becomes that is too large.
static long double beyond(const ExpressionType *type, long double value)
{
  if (type->kind == TYPE_FLOAT) return copysignl(HUGE_VALL, value);
  if (type->kind == TYPE_FLOAT_FINITE) return copysignl(expression_type_largest(type), value);
  return NAN;
}

// Powers of 2 without a sign.
static long double round_exponent(const ExpressionType *type, long double value)
{
  int exponent;
  if (isnan(value) || value < 0) return NAN;
  long double lowest = ldexpl(1, -type->bias);
  if (value <= lowest) return lowest;
  if (value > 2 * expression_type_largest(type)) return NAN;
  long double fraction = frexpl(value, &exponent);
  long double rounded = ldexpl(
      1, fraction > 0.75L || (fraction == 0.75L && (exponent & 1) != 0) ? exponent : exponent - 1);
  return rounded > expression_type_largest(type) ? (long double)NAN : rounded;
}

// Whether it is float or double of C, which the processor rounds and takes apart.
static bool is_float32(const ExpressionType *type)
{
  return type->kind == TYPE_FLOAT && type->bits == 32;
}

static bool is_float64(const ExpressionType *type)
{
  return type->kind == TYPE_FLOAT && type->bits == 64;
}

static long double round_float(const ExpressionType *type, long double value)
{
  int exponent;
  if (is_float32(type)) return (float)value;
  if (is_float64(type)) return (double)value;
  if (type->kind == TYPE_FLOAT_EXPONENT) return round_exponent(type, value);
  if (isnan(value)) return type->kind == TYPE_FLOAT_FINITE ? 0 : value;
  if (isinf(value)) return beyond(type, value);
  if (value == 0) return type->kind == TYPE_FLOAT_ONE_ZERO ? 0 : value;
  frexpl(value, &exponent);
  int lowest = 1 - type->bias;
  int unit = (exponent - 1 > lowest ? exponent - 1 : lowest) - type->mantissa;
  long double rounded = ldexpl(rintl(ldexpl(value, -unit)), unit);
  if (fabsl(rounded) > expression_type_largest(type)) return beyond(type, value);
  return rounded == 0 && type->kind == TYPE_FLOAT_ONE_ZERO ? 0 : rounded;
}

static uint64_t nan_bits(const ExpressionType *type)
{
  uint64_t sign = UINT64_C(1) << (type->bits - 1);
  switch (type->kind) {
    case TYPE_FLOAT:
      // A quiet one.
      return (sign - 1) ^ ((UINT64_C(1) << (type->mantissa - 1)) - 1);
    case TYPE_FLOAT_NAN:
      return sign - 1;
    case TYPE_FLOAT_EXPONENT:
      return 2 * sign - 1;
    case TYPE_FLOAT_ONE_ZERO:
      return sign;
    default:
      return 0;
  }
}

static uint64_t bits_of_float32(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t bits_of_float64(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t encode_float(const ExpressionType *type, long double value)
{
  int exponent;
  if (is_float32(type) && !isnan(value)) return bits_of_float32((float)value);
  if (is_float64(type) && !isnan(value)) return bits_of_float64((double)value);
  uint64_t sign = signbit(value) ? UINT64_C(1) << (type->bits - 1) : 0;
  uint64_t fields = ((UINT64_C(1) << exponent_bits(type)) - 1) << type->mantissa;
  if (isnan(value)) return nan_bits(type);
  if (isinf(value)) return sign | fields;
  frexpl(value, &exponent);
  if (type->kind == TYPE_FLOAT_EXPONENT) return (uint64_t)(exponent - 1 + type->bias);
  if (value == 0) return sign;
  int lowest = 1 - type->bias;
  bool normal = exponent - 1 >= lowest;
  int unit = (normal ? exponent - 1 : lowest) - type->mantissa;
  uint64_t digits = (uint64_t)ldexpl(fabsl(value), -unit);
  if (!normal) return sign | digits;
  digits -= UINT64_C(1) << type->mantissa;
  return sign | (uint64_t)(exponent - 1 + type->bias) << type->mantissa | digits;
}

static bool is_nan_pattern(const ExpressionType *type, int exponent, uint64_t digits, bool negative)
{
  int top = (1 << exponent_bits(type)) - 1;
  uint64_t all = (UINT64_C(1) << type->mantissa) - 1;
  switch (type->kind) {
    case TYPE_FLOAT:
      return exponent == top && digits != 0;
    case TYPE_FLOAT_NAN:
      return exponent == top && digits == all;
    case TYPE_FLOAT_ONE_ZERO:
      return negative && exponent == 0 && digits == 0;
    default:
      return type->kind == TYPE_FLOAT_EXPONENT && exponent == top;
  }
}

static long double decode_float32(uint64_t bits)
{
  const uint32_t half = (uint32_t)bits;
  float value;
  memcpy(&value, &half, sizeof value);
  return value;
}

static long double decode_float64(uint64_t bits)
{
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static long double decode_float(const ExpressionType *type, uint64_t bits)
{
  int top = (1 << exponent_bits(type)) - 1;
  int exponent = (int)(bits >> type->mantissa & (uint64_t)top);
  uint64_t digits = bits & ((UINT64_C(1) << type->mantissa) - 1);
  bool negative = type->kind != TYPE_FLOAT_EXPONENT && bits >> (type->bits - 1) & 1;
  if (is_nan_pattern(type, exponent, digits, negative)) return NAN;
  if (is_float32(type)) return decode_float32(bits);
  if (is_float64(type)) return decode_float64(bits);
  if (type->kind == TYPE_FLOAT_EXPONENT) return ldexpl(1, exponent - type->bias);
  if (type->kind == TYPE_FLOAT && exponent == top) return negative ? -HUGE_VALL : HUGE_VALL;
  if (exponent) digits |= UINT64_C(1) << type->mantissa;
  long double value =
      ldexpl((long double)digits, (exponent ? exponent : 1) - type->bias - type->mantissa);
  return negative ? -value : value;
}

// --- Integers ------------------------------------------------------------------------------------

static uint64_t mask_of(const ExpressionType *type)
{
  return type->bits == 64 ? UINT64_MAX : (UINT64_C(1) << type->bits) - 1;
}

static long double decode_integer(const ExpressionType *type, uint64_t bits)
{
  bool negative = type->kind == TYPE_INT && bits >> (type->bits - 1) & 1;
  if (negative) return -(long double)(mask_of(type) - bits) - 1;
  return (long double)bits;
}

// --- Any type ------------------------------------------------------------------------------------

uint64_t expression_type_encode(const ExpressionType *type, long double value)
{
  if (type->kind == TYPE_BOOL) return value != 0;
  if (expression_type_is_float(type)) return encode_float(type, round_float(type, value));
  if (!(value > -0x1p63L - 1 && value < 0x1p64L)) return 0;
  uint64_t bits = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
  return bits & mask_of(type);
}

long double expression_type_decode(const ExpressionType *type, uint64_t bits)
{
  bits &= mask_of(type);
  if (type->kind == TYPE_BOOL) return bits != 0;
  return expression_type_is_float(type) ? decode_float(type, bits) : decode_integer(type, bits);
}

long double expression_type_round(const ExpressionType *type, long double value)
{
  if (expression_type_is_float(type)) return round_float(type, value);
  if (type->kind != TYPE_BOOL && !(value > -0x1p63L - 1 && value < 0x1p64L)) return NAN;
  return expression_type_decode(type, expression_type_encode(type, value));
}
