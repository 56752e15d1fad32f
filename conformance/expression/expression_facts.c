// SPDX-License-Identifier: Apache-2.0
// What can be told of an expression without working it out.
#include <string.h>

#include "expression/expression_functions.h"

static bool is_among(const char *name, const char *const *names)
{
  for (; *names; ++names)
    if (strcmp(*names, name) == 0) return true;
  return false;
}

// --- Exactness -----------------------------------------------------------------------------------

// They move elements, or choose among them: the sign of one that is 0 stays.
static const char *const movers[] = {
    "abs",  "arange",  "array", "broadcast_to", "cast",  "clip",     "concat",    "full",
    "len",  "ndim",    "ones",  "repeat",       "shape", "isinf",    "isnan",     "isfinite",
    "size", "reshape", "stack", "where",        "zeros", "copysign", "transpose", "take_along_axis",
    NULL};
// What is largest of zeros, and what is left of a number that is nearly 0, may have another sign.
static const char *const choosers[] = {"max",    "min",     "maximum", "minimum", "sort",
                                       "round",  "floor",   "ceil",    "trunc",   "argmax",
                                       "argmin", "argsort", NULL};

static bool is_exact_step(const Expression *expression, const ExpressionStep *step)
{
  if (step->code == STEP_CALL) {
    const char *name = expression->calls[step->argument].function->name;
    return is_among(name, movers) || is_among(name, choosers);
  }
  if (step->code == STEP_BINARY)
    return step->operator== OPERATOR_TIMES || step->operator== OPERATOR_DIVIDE;
  return step->code != STEP_UNARY || step->operator!= OPERATOR_INVERT;
}

bool expression_is_exact(const Expression *expression)
{
  for (size_t i = 0; i < expression->step_count; ++i)
    if (!is_exact_step(expression, &expression->steps[i])) return false;
  return true;
}

static bool has_zero(const Expression *expression)
{
  for (size_t i = 0; i < expression->constant_count; ++i) {
    const ExpressionValue *constant = &expression->constants[i];
    if (constant->count == 1 && constant->elements && constant->elements[0] == 0) return true;
  }
  return false;
}

bool expression_keeps_zeros(const Expression *expression)
{
  for (size_t i = 0; i < expression->call_count; ++i)
    if (is_among(expression->calls[i].function->name, choosers)) return false;
  return expression_is_exact(expression) &&
         !(expression_calls(expression, "clip") && has_zero(expression));
}

bool expression_calls(const Expression *expression, const char *function)
{
  for (size_t i = 0; i < expression->call_count; ++i)
    if (strcmp(expression->calls[i].function->name, function) == 0) return true;
  return false;
}

// --- Places --------------------------------------------------------------------------------------

enum { VALUES_MAX = 256, JUMPS_MAX = 32 };

// For each value on the stack the names whose elements it is made of, as bits.
typedef struct Tracing {
  uint64_t values[VALUES_MAX];
  size_t depth;
  uint64_t places;             // of these elements are indexes or extents
  uint64_t jumped[JUMPS_MAX];  // values of `a if c else b` that wait for the other one
  size_t landing[JUMPS_MAX], jumps;
} Tracing;

static uint64_t pop(Tracing *tracing)
{
  return tracing->depth ? tracing->values[--tracing->depth] : 0;
}

static uint64_t pop_all(Tracing *tracing, size_t count)
{
  uint64_t names = 0;
  for (size_t i = 0; i < count; ++i) names |= pop(tracing);
  return names;
}

static void push(Tracing *tracing, uint64_t names)
{
  if (tracing->depth < VALUES_MAX)
    tracing->values[tracing->depth++] = names;
  else
    tracing->places = UINT64_MAX;
}

// What counts elements, or orders them, gives none of them; some arguments are places.
static void trace_call(Tracing *tracing, const ExpressionCall *call)
{
  static const char *const numbers[] = {"argmax", "argmin", "argsort", "len",
                                        "ndim",   "shape",  "size",    NULL};
  static const char *const behind[] = {"broadcast_to", "repeat",          "reshape",
                                       "scatter_add",  "take_along_axis", NULL};
  static const char *const all[] = {"arange", "bincount", "full", "ones", "zeros", NULL};
  const char *name = call->function->name;
  uint64_t names = 0;
  for (unsigned i = call->count; i-- > 0;) {
    const uint64_t argument = pop(tracing);
    names |= argument;
    if (is_among(name, all) || (call->slots[i] == 1 && is_among(name, behind)))
      tracing->places |= argument;
  }
  push(tracing, is_among(name, numbers) ? 0 : names);
}

static void trace_compare(Tracing *tracing, unsigned flags)
{
  const uint64_t last = pop(tracing);
  push(tracing, last | pop_all(tracing, flags & COMPARE_JOINS ? 2 : 1));
  if (flags & COMPARE_KEEPS) push(tracing, last);
}

static void trace_jump(Tracing *tracing, size_t to)
{
  if (tracing->jumps == JUMPS_MAX) {
    tracing->places = UINT64_MAX;
    return;
  }
  tracing->landing[tracing->jumps] = to;
  tracing->jumped[tracing->jumps++] = pop(tracing);
}

static void land(Tracing *tracing, size_t at)
{
  for (size_t i = 0; i < tracing->jumps; ++i)
    if (tracing->landing[i] == at && tracing->depth)
      tracing->values[tracing->depth - 1] |= tracing->jumped[i];
}

static void trace_step(Tracing *tracing, const Expression *expression, size_t at)
{
  const ExpressionStep *step = &expression->steps[at];
  const size_t count = (size_t)step->argument;
  switch (step->code) {
    case STEP_CONSTANT:
    case STEP_ELLIPSIS:
      push(tracing, 0);
      return;
    case STEP_NAME:
      push(tracing, count < 64 ? (uint64_t)1 << count : UINT64_MAX);
      return;
    case STEP_BINARY:
    case STEP_JOIN:
      push(tracing, pop_all(tracing, 2));
      return;
    case STEP_COMPARE:
      trace_compare(tracing, step->flags);
      return;
    case STEP_JUMP_UNLESS:
      pop(tracing);
      return;
    case STEP_JUMP:
      trace_jump(tracing, at + count);
      return;
    case STEP_TUPLE:
      push(tracing, pop_all(tracing, count));
      return;
    case STEP_SLICE:
      push(tracing, pop_all(tracing, 3));
      return;
    case STEP_INDEX:
      tracing->places |= pop_all(tracing, count);
      return;
    case STEP_ATTRIBUTE:
      if (step->argument != ATTRIBUTE_TRANSPOSED) push(tracing, pop_all(tracing, 1) & 0);
      return;
    case STEP_CALL:
      trace_call(tracing, &expression->calls[count]);
      return;
    default:
      return;
  }
}

bool expression_has_places(const Expression *expression, const char *name)
{
  Tracing tracing = {.depth = 0};
  for (size_t i = 0; i < expression->step_count; ++i) {
    land(&tracing, i);
    trace_step(&tracing, expression, i);
  }
  for (size_t i = 0; i < expression->name_count; ++i)
    if (strcmp(expression->names[i].name, name) == 0) return i >= 64 || (tracing.places >> i & 1);
  return false;
}
