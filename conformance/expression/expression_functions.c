// SPDX-License-Identifier: Apache-2.0
#include "expression/expression_functions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expression/expression_bodies.h"

// --- What <math.h> lacks -------------------------------------------------------------------------

static long double reciprocal_root(long double value)
{
  return 1 / sqrtl(value);
}

static long double sigmoid(long double value)
{
  return 1 / (1 + expl(-value));
}

static long double sign(long double value)
{
  if (isnan(value)) return value;
  return (value > 0) - (value < 0);
}

static long double is_nan(long double value)
{
  return isnan(value) != 0;
}

static long double is_inf(long double value)
{
  return isinf(value) != 0;
}

static long double is_finite(long double value)
{
  return isfinite(value) != 0;
}

// --- The table -----------------------------------------------------------------------------------

#define MATH(name, function)                                         \
  {                                                                  \
    name, {"x"}, 1, false, body_math, {.math = function}, name "(x)" \
  }
#define KEEP(name, function)                                         \
  {                                                                  \
    name, {"x"}, 1, false, body_keep, {.math = function}, name "(x)" \
  }
#define TEST(name, function)                                         \
  {                                                                  \
    name, {"x"}, 1, false, body_test, {.math = function}, name "(x)" \
  }
#define PAIR(name, which)                                                   \
  {                                                                         \
    name, {"x", "y"}, 2, false, body_pair, {.choice = which}, name "(x, y)" \
  }
#define REDUCE(name, which)                                                    \
  {                                                                            \
    name, {"x", "axis", "keepdims"}, 1, false, body_reduce, {.choice = which}, \
        name "(x, axis=None, keepdims=False)"                                  \
  }
#define SPREAD(name, which)                                                            \
  {                                                                                    \
    name, {"x", "axis", "keepdims", "ddof"}, 1, false, body_reduce, {.choice = which}, \
        name "(x, axis=None, keepdims=False, ddof=0)"                                  \
  }
#define EXTREME(name, minimum)                                                   \
  {                                                                              \
    name, {"x", "axis", "keepdims"}, 1, true, body_extreme, {.choice = minimum}, \
        name "(x, axis=None, keepdims=False) or " name "(a, b, ...)"             \
  }
#define FULL(name, value)                                                   \
  {                                                                         \
    name, {"shape"}, 1, false, body_full, {.choice = value}, name "(shape)" \
  }
#define COUNT(name, which)                                           \
  {                                                                  \
    name, {"x"}, 1, false, body_count, {.choice = which}, name "(x)" \
  }

// By name.
static const ExpressionFunction functions[] = {
    KEEP("abs", fabsl),
    REDUCE("all", REDUCE_ALL),
    REDUCE("any", REDUCE_ANY),
    {"arange",
     {"start", "stop", "step"},
     1,
     false,
     body_arange,
     {.choice = 0},
     "arange(stop) or arange(start, stop, step=1)"},
    MATH("arccos", acosl),
    MATH("arcsin", asinl),
    MATH("arctan", atanl),
    PAIR("arctan2", PAIR_ARCTAN2),
    {"argmax",
     {"x", "axis", "keepdims"},
     1,
     false,
     body_argument,
     {.choice = 0},
     "argmax(x, axis=None, keepdims=False)"},
    {"argmin",
     {"x", "axis", "keepdims"},
     1,
     false,
     body_argument,
     {.choice = 1},
     "argmin(x, axis=None, keepdims=False)"},
    {"argsort",
     {"x", "axis", "descending"},
     1,
     false,
     body_sort,
     {.choice = 1},
     "argsort(x, axis=-1, descending=False)"},
    {"array", {"values"}, 1, false, body_array, {.choice = 0}, "array(values)"},
    {"bincount", {"x", "length"}, 2, false, body_bincount, {.choice = 0}, "bincount(x, length)"},
    {"broadcast_to",
     {"x", "shape"},
     2,
     false,
     body_broadcast_to,
     {.choice = 0},
     "broadcast_to(x, shape)"},
    {"cast", {"x", "dtype"}, 2, false, body_cast, {.choice = 0}, "cast(x, \"float16\")"},
    MATH("cbrt", cbrtl),
    KEEP("ceil", ceill),
    {"clip", {"x", "min", "max"}, 1, false, body_clip, {.choice = 0}, "clip(x, min, max)"},
    {"concat", {"arrays", "axis"}, 1, false, body_concat, {.choice = 0}, "concat((a, b), axis=0)"},
    PAIR("copysign", PAIR_COPYSIGN),
    MATH("cos", cosl),
    MATH("cosh", coshl),
    {"cumprod", {"x", "axis"}, 1, false, body_cumulate, {.choice = 1}, "cumprod(x, axis=None)"},
    {"cumsum", {"x", "axis"}, 1, false, body_cumulate, {.choice = 0}, "cumsum(x, axis=None)"},
    MATH("erf", erfl),
    MATH("erfc", erfcl),
    MATH("exp", expl),
    MATH("exp2", exp2l),
    MATH("expm1", expm1l),
    KEEP("floor", floorl),
    PAIR("fmod", PAIR_FMOD),
    {"full", {"shape", "value"}, 2, false, body_full, {.choice = 0}, "full(shape, value)"},
    PAIR("hypot", PAIR_HYPOT),
    TEST("isfinite", is_finite),
    TEST("isinf", is_inf),
    TEST("isnan", is_nan),
    COUNT("len", COUNT_LENGTH),
    MATH("log", logl),
    MATH("log10", log10l),
    MATH("log1p", log1pl),
    MATH("log2", log2l),
    {"matmul", {"x", "y"}, 2, false, body_matmul, {.choice = 0}, "matmul(x, y)"},
    EXTREME("max", 0),
    {"maximum", {"x"}, 1, true, body_maximum, {.choice = 0}, "maximum(a, b)"},
    REDUCE("mean", REDUCE_MEAN),
    EXTREME("min", 1),
    {"minimum", {"x"}, 1, true, body_maximum, {.choice = 1}, "minimum(a, b)"},
    COUNT("ndim", COUNT_DIMENSIONS),
    FULL("ones", 1),
    PAIR("pow", PAIR_POWER),
    REDUCE("prod", REDUCE_PROD),
    {"repeat",
     {"x", "repeats", "axis"},
     2,
     false,
     body_repeat,
     {.choice = 0},
     "repeat(x, repeats, axis=None)"},
    {"reshape", {"x", "shape"}, 2, false, body_reshape, {.choice = 0}, "reshape(x, (2, -1))"},
    KEEP("round", rintl),
    MATH("rsqrt", reciprocal_root),
    {"scatter_add",
     {"x", "indices", "values"},
     3,
     false,
     body_scatter_add,
     {.choice = 0},
     "scatter_add(x, indices, values)"},
    COUNT("shape", COUNT_SHAPE),
    MATH("sigmoid", sigmoid),
    KEEP("sign", sign),
    MATH("sin", sinl),
    MATH("sinh", sinhl),
    COUNT("size", COUNT_ELEMENTS),
    {"sort",
     {"x", "axis", "descending"},
     1,
     false,
     body_sort,
     {.choice = 0},
     "sort(x, axis=-1, descending=False)"},
    MATH("sqrt", sqrtl),
    {"stack", {"arrays", "axis"}, 1, false, body_stack, {.choice = 0}, "stack((a, b), axis=0)"},
    SPREAD("std", REDUCE_STD),
    REDUCE("sum", REDUCE_SUM),
    {"take_along_axis",
     {"x", "indices", "axis"},
     3,
     false,
     body_take_along_axis,
     {.choice = 0},
     "take_along_axis(x, indices, axis)"},
    MATH("tan", tanl),
    MATH("tanh", tanhl),
    {"transpose",
     {"x", "axes"},
     1,
     false,
     body_transpose,
     {.choice = 0},
     "transpose(x, axes=None)"},
    KEEP("trunc", truncl),
    SPREAD("var", REDUCE_VAR),
    {"where",
     {"condition", "x", "y"},
     3,
     false,
     body_where,
     {.choice = 0},
     "where(condition, x, y)"},
    FULL("zeros", 0),
};

enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

const ExpressionFunction *function_find(const char *name, size_t size)
{
  for (size_t i = 0; i < FUNCTION_COUNT; ++i)
    if (strlen(functions[i].name) == size && memcmp(functions[i].name, name, size) == 0)
      return &functions[i];
  return NULL;
}

unsigned function_parameter_count(const ExpressionFunction *function)
{
  unsigned count = 0;
  while (count < FUNCTION_PARAMETERS_MAX && function->parameters[count]) ++count;
  return count;
}

unsigned function_parameter(const ExpressionFunction *function, const char *name, size_t size)
{
  for (unsigned i = 0; i < function_parameter_count(function); ++i)
    if (strlen(function->parameters[i]) == size && memcmp(function->parameters[i], name, size) == 0)
      return i;
  return FUNCTION_PARAMETERS_MAX;
}

void function_names(char *text, size_t capacity)
{
  size_t size = 0;
  text[0] = '\0';
  for (size_t i = 0; i < FUNCTION_COUNT && size < capacity; ++i)
    size +=
        (size_t)snprintf(text + size, capacity - size, "%s%s", i ? ", " : "", functions[i].name);
}
