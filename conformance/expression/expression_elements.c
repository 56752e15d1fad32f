// SPDX-License-Identifier: Apache-2.0
#include "expression/expression_elements.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The first integers that are too large and too small, and how many of 64 bits there are.
#define TOO_LARGE 0x1p64L
#define SMALLEST (-0x1p63L)

// --- Integers ------------------------------------------------------------------------------------

bool element_is_integer(long double value)
{
  return value >= SMALLEST && value < TOO_LARGE && truncl(value) == value;
}

uint64_t element_bits(long double value)
{
  return value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
}

// As NumPy's int64, where it does not fit.
static long double wrapped(uint64_t bits)
{
  return bits >> 63 ? (long double)bits - TOO_LARGE : (long double)bits;
}

static bool fits(long double value)
{
  return value >= SMALLEST && value < TOO_LARGE;
}

static bool are_integers(const long double *o)
{
  return element_is_integer(o[0]) && element_is_integer(o[1]);
}

// --- Functions of elements -----------------------------------------------------------------------

static long double plus(const long double *o)
{
  return o[0] + o[1];
}

static long double minus(const long double *o)
{
  return o[0] - o[1];
}

static long double times(const long double *o)
{
  return o[0] * o[1];
}

static long double divide(const long double *o)
{
  return o[0] / o[1];
}

// The sign is that of the divisor, as in Python.
static long double remainder_of(const long double *o)
{
  long double rest = fmodl(o[0], o[1]);
  if (rest == 0) return copysignl(0, o[1]);
  return (rest < 0) != (o[1] < 0) ? rest + o[1] : rest;
}

static long double integer_remainder(const long double *o)
{
  long double rest = remainder_of(o);
  return rest == 0 ? 0 : rest;
}

static long double floor_divide(const long double *o)
{
  long double rest = fmodl(o[0], o[1]);
  if (o[1] == 0) return o[0] / o[1];
  long double quotient = (o[0] - rest) / o[1];
  if (rest != 0 && (rest < 0) != (o[1] < 0)) quotient -= 1;
  return rintl(quotient);
}

static long double power(const long double *o)
{
  return powl(o[0], o[1]);
}

long double element_integer_plus(const long double *o)
{
  long double sum = o[0] + o[1];
  return fits(sum) || !are_integers(o) ? sum : wrapped(element_bits(o[0]) + element_bits(o[1]));
}

static long double integer_minus(const long double *o)
{
  long double rest = o[0] - o[1];
  return fits(rest) || !are_integers(o) ? rest : wrapped(element_bits(o[0]) - element_bits(o[1]));
}

long double element_integer_times(const long double *o)
{
  long double product = o[0] * o[1];
  return fits(product) || !are_integers(o) ? product
                                           : wrapped(element_bits(o[0]) * element_bits(o[1]));
}

static long double integer_power(const long double *o)
{
  long double outcome = 1, square = o[0];
  if (!are_integers(o) || o[1] < 0) return power(o);
  for (uint64_t left = element_bits(o[1]); left; left >>= 1) {
    if (left & 1) outcome = element_integer_times((long double[]){outcome, square});
    if (left > 1) square = element_integer_times((long double[]){square, square});
  }
  return outcome;
}

static long double shift_left(const long double *o)
{
  if (!are_integers(o) || o[1] < 0) return NAN;
  if (o[1] >= 64) return 0;
  long double shifted = ldexpl(o[0], (int)o[1]);
  return fits(shifted) ? shifted : wrapped(element_bits(o[0]) << (int)o[1]);
}

static long double shift_right(const long double *o)
{
  if (!are_integers(o) || o[1] < 0) return NAN;
  if (o[1] >= 64) return o[0] < 0 ? -1 : 0;
  return floorl(ldexpl(o[0], -(int)o[1]));
}

// Both as if they had any number of bits, so that those of uint64 are not negative.
static long double joined(uint64_t bits, bool negative)
{
  return negative ? (long double)bits - TOO_LARGE : (long double)bits;
}

static long double bits_and(const long double *o)
{
  if (!are_integers(o)) return NAN;
  return joined(element_bits(o[0]) & element_bits(o[1]), o[0] < 0 && o[1] < 0);
}

static long double bits_or(const long double *o)
{
  if (!are_integers(o)) return NAN;
  return joined(element_bits(o[0]) | element_bits(o[1]), o[0] < 0 || o[1] < 0);
}

static long double bits_xor(const long double *o)
{
  if (!are_integers(o)) return NAN;
  return joined(element_bits(o[0]) ^ element_bits(o[1]), (o[0] < 0) != (o[1] < 0));
}

static long double less(const long double *o)
{
  return o[0] < o[1];
}

static long double less_equal(const long double *o)
{
  return o[0] <= o[1];
}

static long double greater(const long double *o)
{
  return o[0] > o[1];
}

static long double greater_equal(const long double *o)
{
  return o[0] >= o[1];
}

static long double equal(const long double *o)
{
  return o[0] == o[1];
}

static long double not_equal(const long double *o)
{
  return o[0] != o[1];
}

static long double both(const long double *o)
{
  return o[0] != 0 && o[1] != 0;
}

static long double either(const long double *o)
{
  return o[0] != 0 || o[1] != 0;
}

long double element_maximum(const long double *o)
{
  if (isnan(o[0]) || isnan(o[1])) return NAN;
  return o[0] >= o[1] ? o[0] : o[1];
}

long double element_minimum(const long double *o)
{
  if (isnan(o[0]) || isnan(o[1])) return NAN;
  return o[0] <= o[1] ? o[0] : o[1];
}

static long double negative(long double value)
{
  return -value;
}

static long double integer_negative(long double value)
{
  return integer_minus((long double[]){0, value});
}

static long double same(long double value)
{
  return value;
}

static long double inverted(long double value)
{
  return integer_minus((long double[]){-1, value});
}

static long double not(long double value)
{
  return value == 0;
}

// --- Broadcasting --------------------------------------------------------------------------------

bool elements_shape(ExpressionMachine *machine, const ExpressionValue *const *operands,
                    unsigned count, int32_t *rank, int64_t shape[EXPRESSION_RANK_MAX])
{
  char left[128], right[128];
  *rank = 0;
  for (unsigned i = 0; i < count; ++i)
    if (operands[i]->rank > *rank) *rank = operands[i]->rank;
  for (int32_t k = 0; k < *rank; ++k) shape[k] = 1;
  for (unsigned i = 0; i < count; ++i)
    for (int32_t k = 0; k < operands[i]->rank; ++k) {
      int64_t extent = operands[i]->shape[k], *to = &shape[*rank - operands[i]->rank + k];
      if (*to == 1) *to = extent;
      if (extent == 1 || extent == *to) continue;
      return machine_fail(machine, "%s does not go with %s", value_words(operands[i], right),
                          value_words(operands[i ? 0 : 1], left));
    }
  return true;
}

// How far apart the elements of an operand are in each dimension of the shape: 0 where it repeats.
static void strides_of(const ExpressionValue *value, int32_t rank,
                       int64_t strides[EXPRESSION_RANK_MAX])
{
  int64_t stride = 1;
  for (int32_t k = rank; k-- > 0;) {
    int32_t own = k - (rank - value->rank);
    strides[k] = own >= 0 && value->shape[own] != 1 ? stride : 0;
    if (own >= 0) stride *= value->shape[own];
  }
}

// A place in an array of which several operands are walked through at once.
typedef struct Walk {
  int32_t rank;
  const int64_t *shape;
  int64_t index[EXPRESSION_RANK_MAX];
  int64_t strides[ELEMENTS_OPERANDS_MAX][EXPRESSION_RANK_MAX];
  const long double *at[ELEMENTS_OPERANDS_MAX];
  unsigned count;
} Walk;

static void step(Walk *walk)
{
  for (int32_t k = walk->rank; k-- > 0;) {
    bool ends = ++walk->index[k] == walk->shape[k];
    for (unsigned i = 0; i < walk->count; ++i)
      walk->at[i] += ends ? walk->strides[i][k] * (1 - walk->shape[k]) : walk->strides[i][k];
    if (!ends) return;
    walk->index[k] = 0;
  }
}

// Integers that are none after all (after a division by 0) make a float of it.
static bool end_integers(ExpressionMachine *machine, ExpressionValue *out)
{
  for (size_t i = 0; i < out->count; ++i) {
    if (element_is_integer(out->elements[i])) continue;
    if (isfinite(out->elements[i]) && truncl(out->elements[i]) == out->elements[i])
      return machine_fail(machine, "an integer of more than 64 bits");
    out->kind = EXPRESSION_FLOAT;
  }
  return true;
}

bool elements_apply(ExpressionMachine *machine, ExpressionKind kind, ElementFunction *function,
                    const ExpressionValue *const *operands, unsigned count, ExpressionValue *out)
{
  Walk walk = {.count = count};
  int64_t shape[EXPRESSION_RANK_MAX];
  if (!elements_shape(machine, operands, count, &walk.rank, shape) ||
      !machine_new(machine, out, kind, walk.rank, shape))
    return false;
  walk.shape = out->shape;
  bool straight = true;
  for (unsigned i = 0; i < count; ++i) {
    strides_of(operands[i], walk.rank, walk.strides[i]);
    walk.at[i] = operands[i]->elements;
    straight &= operands[i]->count == out->count || operands[i]->count == 1;
  }
  for (size_t i = 0; i < out->count; ++i) {
    long double values[ELEMENTS_OPERANDS_MAX];
    for (unsigned k = 0; k < count; ++k)
      values[k] = straight ? walk.at[k][operands[k]->count == 1 ? 0 : i] : *walk.at[k];
    out->elements[i] = function(values);
    if (!straight) step(&walk);
  }
  if (kind != EXPRESSION_INT || end_integers(machine, out)) return true;
  machine_free(machine, out);
  return false;
}

bool elements_map(ExpressionMachine *machine, ExpressionKind kind,
                  long double (*function)(long double), const ExpressionValue *operand,
                  ExpressionValue *out)
{
  if (!machine_new(machine, out, kind, operand->rank, operand->shape)) return false;
  for (size_t i = 0; i < out->count; ++i) out->elements[i] = function(operand->elements[i]);
  if (kind != EXPRESSION_INT || end_integers(machine, out)) return true;
  machine_free(machine, out);
  return false;
}

bool elements_broadcast(ExpressionMachine *machine, const ExpressionValue *value, int32_t rank,
                        const int64_t *shape, ExpressionValue *out)
{
  // The elements of what only gives the shape are not read: there is one.
  long double nothing = 0;
  ExpressionValue other = {.kind = value->kind, .rank = rank, .elements = &nothing, .count = 1};
  for (int32_t k = 0; k < rank; ++k) other.shape[k] = shape[k];
  const ExpressionValue *operands[] = {value, &other};
  int64_t joint[EXPRESSION_RANK_MAX];
  int32_t joint_rank;
  char from[128], to[128];
  if (!elements_shape(machine, operands, 2, &joint_rank, joint)) return false;
  if (joint_rank != rank || memcmp(joint, shape, (size_t)rank * sizeof *shape) != 0)
    return machine_fail(machine, "%s can't be broadcast to %s", value_words(value, from),
                        value_words(&other, to));
  if (!machine_new(machine, out, value->kind, rank, shape)) return false;
  Walk walk = {.count = 1, .rank = rank, .shape = out->shape, .at = {value->elements}};
  strides_of(value, rank, walk.strides[0]);
  for (size_t i = 0; i < out->count; ++i) {
    out->elements[i] = *walk.at[0];
    step(&walk);
  }
  return true;
}

// --- Operators -----------------------------------------------------------------------------------

typedef struct OperatorRow {
  ElementFunction *integers, *floats;
  bool truth;  // gives true or false
} OperatorRow;

static const OperatorRow rows[OPERATOR_COUNT] = {
    [OPERATOR_POWER] = {integer_power, power, false},
    [OPERATOR_TIMES] = {element_integer_times, times, false},
    [OPERATOR_DIVIDE] = {NULL, divide, false},
    [OPERATOR_FLOOR_DIVIDE] = {floor_divide, floor_divide, false},
    [OPERATOR_REMAINDER] = {integer_remainder, remainder_of, false},
    [OPERATOR_PLUS] = {element_integer_plus, plus, false},
    [OPERATOR_MINUS] = {integer_minus, minus, false},
    [OPERATOR_SHIFT_LEFT] = {shift_left, NULL, false},
    [OPERATOR_SHIFT_RIGHT] = {shift_right, NULL, false},
    [OPERATOR_BITS_AND] = {bits_and, NULL, false},
    [OPERATOR_BITS_XOR] = {bits_xor, NULL, false},
    [OPERATOR_BITS_OR] = {bits_or, NULL, false},
    [OPERATOR_LESS] = {less, less, true},
    [OPERATOR_LESS_EQUAL] = {less_equal, less_equal, true},
    [OPERATOR_GREATER] = {greater, greater, true},
    [OPERATOR_GREATER_EQUAL] = {greater_equal, greater_equal, true},
    [OPERATOR_EQUAL] = {equal, equal, true},
    [OPERATOR_NOT_EQUAL] = {not_equal, not_equal, true},
    [OPERATOR_AND] = {both, both, true},
    [OPERATOR_OR] = {either, either, true},
};

ExpressionKind elements_kind(const ExpressionValue *left, const ExpressionValue *right)
{
  return left->kind > right->kind ? left->kind : right->kind;
}

static bool has_negative(const ExpressionValue *value)
{
  for (size_t i = 0; i < value->count; ++i)
    if (value->elements[i] < 0) return true;
  return false;
}

// An integer of more than 64 bits is a mistake where it is a size, and wraps where it is data.
static bool check_scalar(ExpressionMachine *machine, const OperatorRow *row,
                         const ExpressionValue *left, const ExpressionValue *right)
{
  const long double operands[] = {left->elements[0], right->elements[0]};
  bool shifts = row->integers == shift_left;
  if (!row->integers || (!row->floats && !shifts) || row->truth) return true;
  long double exact = shifts ? operands[0] * exp2l(operands[1]) : row->floats(operands);
  if (!isfinite(exact) || fits(exact)) return true;
  return machine_fail(machine, "an integer of more than 64 bits");
}

bool elements_binary(ExpressionMachine *machine, ExpressionOperator operator,
                     const ExpressionValue * left, const ExpressionValue *right,
                     ExpressionValue *out)
{
  const OperatorRow *row = &rows[operator];
  const ExpressionValue *operands[] = {left, right};
  ExpressionKind kind = elements_kind(left, right);
  bool floats = kind == EXPRESSION_FLOAT;
  bool shifts = operator== OPERATOR_SHIFT_LEFT || operator== OPERATOR_SHIFT_RIGHT;
  if (floats && !row->floats)
    return machine_fail(machine, "bits are those of integers: use cast(x, \"int64\")");
  if (shifts && has_negative(right)) return machine_fail(machine, "a shift by a negative number");
  if (operator== OPERATOR_POWER && has_negative(right)) floats = true;
  if (!floats && left->rank == 0 && right->rank == 0 && !check_scalar(machine, row, left, right))
    return false;
  floats = floats || !row->integers;
  bool stays =
      kind == EXPRESSION_BOOL && operator>= OPERATOR_BITS_AND && operator<= OPERATOR_BITS_OR;
  ExpressionKind result = floats ? EXPRESSION_FLOAT : EXPRESSION_INT;
  if (row->truth || stays) result = EXPRESSION_BOOL;
  return elements_apply(machine, result, floats ? row->floats : row->integers, operands, 2, out);
}

bool elements_unary(ExpressionMachine *machine, ExpressionOperator operator,
                    const ExpressionValue * operand, ExpressionValue *out)
{
  bool floats = operand->kind == EXPRESSION_FLOAT;
  ExpressionKind kind = floats ? EXPRESSION_FLOAT : EXPRESSION_INT;
  switch (operator) {
    case OPERATOR_NOT:
      return elements_map(machine, EXPRESSION_BOOL, not, operand, out);
    case OPERATOR_NEGATE:
      return elements_map(machine, kind, floats ? negative : integer_negative, operand, out);
    case OPERATOR_INVERT:
      if (floats)
        return machine_fail(machine, "bits are those of integers: use cast(x, \"int64\")");
      if (operand->kind == EXPRESSION_BOOL)
        return elements_map(machine, EXPRESSION_BOOL, not, operand, out);
      return elements_map(machine, kind, inverted, operand, out);
    default:
      return elements_map(machine, kind, same, operand, out);
  }
}
