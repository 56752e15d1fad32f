// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "expression/expression_bodies.h"
#include "expression/expression_elements.h"
#include "expression/expression_type.h"

static bool need(ExpressionMachine *machine, const FunctionArguments *arguments, unsigned i,
                 const char *what)
{
  return machine_need_array(machine, arguments->given[i], what);
}

bool body_math(ExpressionMachine *machine, const ExpressionFunction *function,
               const FunctionArguments *arguments, ExpressionValue *out)
{
  return need(machine, arguments, 0, "x") &&
         elements_map(machine, EXPRESSION_FLOAT, function->as.math, arguments->given[0], out);
}

bool body_keep(ExpressionMachine *machine, const ExpressionFunction *function,
               const FunctionArguments *arguments, ExpressionValue *out)
{
  if (!need(machine, arguments, 0, "x")) return false;
  bool floats = arguments->given[0]->kind == EXPRESSION_FLOAT;
  return elements_map(machine, floats ? EXPRESSION_FLOAT : EXPRESSION_INT, function->as.math,
                      arguments->given[0], out);
}

bool body_test(ExpressionMachine *machine, const ExpressionFunction *function,
               const FunctionArguments *arguments, ExpressionValue *out)
{
  return need(machine, arguments, 0, "x") &&
         elements_map(machine, EXPRESSION_BOOL, function->as.math, arguments->given[0], out);
}

static long double arctan2(const long double *o)
{
  return atan2l(o[0], o[1]);
}

static long double remainder_as_in_c(const long double *o)
{
  return fmodl(o[0], o[1]);
}

static long double length_of(const long double *o)
{
  return hypotl(o[0], o[1]);
}

static long double with_sign_of(const long double *o)
{
  return copysignl(o[0], o[1]);
}

bool body_pair(ExpressionMachine *machine, const ExpressionFunction *function,
               const FunctionArguments *arguments, ExpressionValue *out)
{
  static ElementFunction *const pairs[] = {[PAIR_ARCTAN2] = arctan2,
                                           [PAIR_FMOD] = remainder_as_in_c,
                                           [PAIR_HYPOT] = length_of,
                                           [PAIR_COPYSIGN] = with_sign_of};
  const ExpressionValue *operands[] = {arguments->given[0], arguments->given[1]};
  if (!need(machine, arguments, 0, "x") || !need(machine, arguments, 1, "y")) return false;
  if (function->as.choice == PAIR_POWER)
    return elements_binary(machine, OPERATOR_POWER, operands[0], operands[1], out);
  bool keeps = function->as.choice == PAIR_FMOD &&
               elements_kind(operands[0], operands[1]) != EXPRESSION_FLOAT;
  return elements_apply(machine, keeps ? EXPRESSION_INT : EXPRESSION_FLOAT,
                        pairs[function->as.choice], operands, 2, out);
}

static long double choose(const long double *o)
{
  return o[0] != 0 ? o[1] : o[2];
}

bool body_where(ExpressionMachine *machine, const ExpressionFunction *function,
                const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  ExpressionValue *const *given = arguments->given;
  if (!need(machine, arguments, 0, "the condition") || !need(machine, arguments, 1, "x") ||
      !need(machine, arguments, 2, "y"))
    return false;
  return elements_apply(machine, elements_kind(given[1], given[2]), choose,
                        (const ExpressionValue *const[]){given[0], given[1], given[2]}, 3, out);
}

static bool extreme_of(ExpressionMachine *machine, bool minimum, const ExpressionValue *left,
                       const ExpressionValue *right, ExpressionValue *out)
{
  const ExpressionValue *operands[] = {left, right};
  return elements_apply(machine, elements_kind(left, right),
                        minimum ? element_minimum : element_maximum, operands, 2, out);
}

// A limit that is None is none.
bool body_clip(ExpressionMachine *machine, const ExpressionFunction *function,
               const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  ExpressionValue none = {.kind = EXPRESSION_FLOAT, .count = 1};
  long double lowest = -HUGE_VALL, highest = HUGE_VALL;
  const ExpressionValue *value = arguments->given[0];
  ExpressionValue raised = {.kind = EXPRESSION_NONE};
  for (unsigned i = 0; i < 3; ++i) {
    ExpressionValue *given = arguments->given[i];
    if (i > 0 && (!given || given->kind == EXPRESSION_NONE)) continue;
    if (!need(machine, arguments, i, i ? "a limit" : "x")) return false;
  }
  const ExpressionValue *low = arguments->given[1], *high = arguments->given[2];
  ExpressionValue no_low = none, no_high = none;
  no_low.elements = &lowest;
  no_high.elements = &highest;
  no_low.kind = no_high.kind = value->kind;
  if (!low || low->kind == EXPRESSION_NONE) low = &no_low;
  if (!high || high->kind == EXPRESSION_NONE) high = &no_high;
  bool made = extreme_of(machine, false, value, low, &raised) &&
              extreme_of(machine, true, &raised, high, out);
  machine_free(machine, &raised);
  return made;
}

bool body_maximum(ExpressionMachine *machine, const ExpressionFunction *function,
                  const FunctionArguments *arguments, ExpressionValue *out)
{
  ExpressionValue before = {.kind = EXPRESSION_NONE};
  for (size_t i = 0; i < arguments->count; ++i)
    if (!machine_need_array(machine, &arguments->all[i], "a value")) return false;
  if (arguments->count < 2) return machine_fail(machine, "%s expected", function->takes);
  for (size_t i = 1; i < arguments->count; ++i) {
    bool made = extreme_of(machine, function->as.choice != 0, i == 1 ? &arguments->all[0] : &before,
                           &arguments->all[i], out);
    machine_free(machine, &before);
    if (!made) return false;
    before = *out;
  }
  return true;
}

bool body_cast(ExpressionMachine *machine, const ExpressionFunction *function,
               const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  ExpressionType type;
  const ExpressionValue *value = arguments->given[0], *name = arguments->given[1];
  if (!need(machine, arguments, 0, "x")) return false;
  if (name->kind != EXPRESSION_STRING)
    return machine_fail(machine, "the name of a type expected: cast(x, \"float16\")");
  if (!expression_type_find(name->string, name->count, &type))
    return machine_fail(machine,
                        "unknown type; known: bool, int1 to int64, uint1 to uint64, "
                        "float16, float32, float64, bfloat16, float8_*, float6_*, float4_e2m1fn");
  ExpressionKind kind = expression_type_is_float(&type) ? EXPRESSION_FLOAT : EXPRESSION_INT;
  if (type.kind == TYPE_BOOL) kind = EXPRESSION_BOOL;
  if (!machine_new(machine, out, kind, value->rank, value->shape)) return false;
  for (size_t i = 0; i < out->count; ++i) {
    out->elements[i] = expression_type_round(&type, value->elements[i]);
    // What C leaves open.
    if (kind == EXPRESSION_INT && isnan(out->elements[i])) out->kind = EXPRESSION_FLOAT;
  }
  return true;
}
