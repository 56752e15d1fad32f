// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_steady.h"

#include <math.h>
#include <string.h>

#include "expression/expression.h"
#include "expression/expression_type.h"
#include "kernel/kernel_expected.h"

static bool holds(const Kernel *kernel, KernelContents contents)
{
  for (uint32_t i = 0; kernel->chosen && i < kernel_place_count(kernel); ++i)
    if (kernel_place_of(kernel, i)->kind == KERNEL_TENSOR &&
        kernel_place_of(kernel, i)->contents == contents)
      return true;
  return false;
}

// Elements of which a function may lose some digits where it works with them.
static bool is_rough(const Kernel *kernel)
{
  return holds(kernel, KERNEL_FINE) || holds(kernel, KERNEL_NEGATIVE) ||
         holds(kernel, KERNEL_SMALL) || holds(kernel, KERNEL_LARGE);
}

// Elements at the ends of a type.
static bool is_extreme(const Kernel *kernel)
{
  return holds(kernel, KERNEL_HUGE) || holds(kernel, KERNEL_TINY);
}

bool kernel_is_delicate(const Kernel *kernel)
{
  return is_rough(kernel) || is_extreme(kernel) || holds(kernel, KERNEL_FEW) ||
         holds(kernel, KERNEL_WIDE);
}

// --- Tolerance -----------------------------------------------------------------------------------

enum { MANY_ELEMENTS = 1 << 15 };

// The elements of the largest tensor.
static double most_elements(const Kernel *kernel)
{
  double most = 0;
  for (uint32_t i = 0; kernel->chosen && i < kernel_place_count(kernel); ++i) {
    const KernelParameter *parameter = kernel_place_of(kernel, i);
    double count = parameter->kind == KERNEL_TENSOR && parameter->typed;
    for (int32_t k = 0; count > 0 && k < parameter->rank; ++k)
      count *= (double)parameter->shape[k].size;
    most = fmax(most, count);
  }
  return most;
}

double kernel_least_tolerance(const Kernel *kernel, DLDataType dtype)
{
  ExpressionType type;
  if (dtype.lanes != 1 || !expression_type_of(dtype.code, dtype.bits, &type)) return 0;
  const double epsilon = (double)expression_type_epsilon(&type);
  const double count = most_elements(kernel);
  double least = 0;
  if (is_rough(kernel)) least = 32 * epsilon;
  if (holds(kernel, KERNEL_LARGE)) least = 512 * epsilon;
  if (kernel->explored_size && count >= MANY_ELEMENTS) least = fmax(least, count * epsilon);
  return least;
}

// --- Jumps ---------------------------------------------------------------------------------------

// The arguments, each element of a float tensor moved a little, and none like its neighbour, but for
// equal ones that are to stay equal.
typedef struct Moved {
  KernelCall *call;
  long double by;    // in roundings of the element's type
  long double most;  // of what a rounding changes
  bool keeps_equal;
} Moved;

static void move(ExpressionValue *value, const Moved *moved)
{
  ExpressionType type;
  for (size_t i = 0; value->kind == EXPRESSION_TUPLE && i < value->count; ++i)
    move(&value->items[i], moved);
  if (value->kind != EXPRESSION_FLOAT || !value->elements || value->borrowed || !value->dtype ||
      !expression_type_find(value->dtype, strlen(value->dtype), &type))
    return;
  const long double step = moved->by * fminl(expression_type_epsilon(&type), moved->most);
  for (size_t i = 0; i < value->count; ++i) {
    const size_t turn = moved->keeps_equal ? (size_t)fminl(8 * fabsl(value->elements[i]), 1e6L) : i;
    value->elements[i] *= 1 + step * (long double)(1 + turn * 5 % 7) / 7;
  }
}

static bool look_up(void *context, const char *name, ExpressionValue *value)
{
  const Moved *moved = context;
  if (!kernel_value_before(moved->call, name, value)) return false;
  move(value, moved);
  return true;
}

// `by` in roundings of the elements; `roundings` as the expression's scope has it.
static bool evaluate(KernelCall *call, const Expression *formula, long double by,
                     long double roundings, ExpressionRange *range, ExpressionValue *value)
{
  const Moved moved = {call, by, is_extreme(call->kernel) ? 0x1p-24L : 1,
                       holds(call->kernel, KERNEL_FEW)};
  const ExpressionScope scope = {
      .lookup = look_up, .context = (void *)&moved, .range = range, .roundings = roundings};
  ExpressionError error;
  return expression_evaluate(formula, &scope, value, &error);
}

static long double largest_of(const ExpressionValue *value)
{
  long double largest = 0;
  for (size_t i = 0; i < value->count; ++i)
    if (isfinite(value->elements[i])) largest = fmaxl(largest, fabsl(value->elements[i]));
  return largest;
}

// `far` holds what the formula gives for arguments that were moved up and down, `near` the same for
// ones that were moved by an eighth of that. What is smooth changes by an eighth, too.
static bool jumps(const ExpressionValue far[2], const ExpressionValue near[2])
{
  if (far[0].kind != far[1].kind || far[0].kind != near[0].kind || near[0].kind != near[1].kind)
    return true;
  if (far[0].count != far[1].count || far[0].count != near[0].count ||
      near[0].count != near[1].count)
    return true;
  for (size_t i = 0; far[0].kind == EXPRESSION_TUPLE && i < far[0].count; ++i)
    if (jumps((ExpressionValue[]){far[0].items[i], far[1].items[i]},
              (ExpressionValue[]){near[0].items[i], near[1].items[i]}))
      return true;
  if (!far[0].elements) return false;
  const long double noise = largest_of(&far[0]) * 1e-12L;
  for (size_t i = 0; i < far[0].count; ++i) {
    const long double wide = fabsl(far[0].elements[i] - far[1].elements[i]);
    const long double narrow = fabsl(near[0].elements[i] - near[1].elements[i]);
    if (far[0].elements[i] == far[1].elements[i] && narrow == 0) continue;
    if (far[0].kind != EXPRESSION_FLOAT) return true;
    if (!(wide <= noise) && !(fabsl(wide - 8 * narrow) <= wide / 2)) return true;
  }
  return false;
}

// Where the elements are moved, or, with them as they are, where its steps are off by as much.
static bool is_smooth(KernelCall *call, const Expression *formula, bool steps)
{
  const long double by = steps ? 0 : 1, roundings = steps ? 0x1p-24L : 0;
  ExpressionValue far[2], near[2];
  bool known = evaluate(call, formula, 4 * by, 4 * roundings, NULL, &far[0]);
  known &= evaluate(call, formula, -4 * by, -4 * roundings, NULL, &far[1]);
  known &= evaluate(call, formula, by / 2, roundings / 2, NULL, &near[0]);
  known &= evaluate(call, formula, -by / 2, -roundings / 2, NULL, &near[1]);
  const bool smooth = known && !jumps(far, near);
  for (int i = 0; i < 2; ++i) {
    expression_value_free(&far[i]);
    expression_value_free(&near[i]);
  }
  return smooth;
}

// --- The range of the type -----------------------------------------------------------------------

// The least normal number of a float.
static long double least_of(const ExpressionType *type)
{
  return expression_type_is_float(type) ? ldexpl(1, 1 - type->bias) : 0;
}

static long double most_of(const ExpressionType *type)
{
  return expression_type_is_float(type)
             ? expression_type_largest(type)
             : ldexpl(1, type->bits - (type->kind == TYPE_INT ? 1 : 0)) - 1;
}

// The largest number of the tensors that hold what is huge.
static long double most_of_huge(const Kernel *kernel)
{
  long double most = 0;
  ExpressionType type;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (at->kind == KERNEL_TENSOR && at->contents == KERNEL_HUGE &&
        expression_type_of(at->dtype.code, at->dtype.bits, &type))
      most = fmaxl(most, most_of(&type));
  }
  return most;
}

static bool is_out_of_range(const Kernel *kernel, const ExpressionRange *range, DLDataType dtype)
{
  ExpressionType type;
  if (holds(kernel, KERNEL_HUGE)) return range->most > most_of_huge(kernel);
  return expression_type_of(dtype.code, dtype.bits, &type) && type.kind != TYPE_BOOL &&
         (range->most > most_of(&type) ||
          (range->least > 0 && range->least < least_of(&type) && !is_extreme(kernel)));
}

const char *kernel_formula_cancels(KernelCall *call, const char *formula,
                                   const ExpressionValue *expected)
{
  const long double small = 1e-7L;
  ExpressionError error;
  ExpressionRange range = {0};
  ExpressionValue value = {.kind = EXPRESSION_NONE};
  if (expected->kind != EXPRESSION_FLOAT || !expected->elements) return NULL;
  const long double largest = largest_of(expected);
  if (largest == 0 || largest > small) return NULL;
  Expression *expression = expression_parse(formula, &error);
  const bool cancels =
      expression && evaluate(call, expression, 0, 0, &range, &value) && range.cancels;
  expression_value_free(&value);
  expression_free(expression);
  return cancels ? "its formula comes to a rounding error" : NULL;
}

const char *kernel_formula_unsteady(KernelCall *call, const char *formula, DLDataType dtype)
{
  ExpressionError error;
  ExpressionRange range = {0};
  ExpressionValue value = {.kind = EXPRESSION_NONE};
  const char *why = NULL;
  // Numbers are worked out of tensors.
  const DLDataType of = dtype.lanes == 1 ? dtype : (DLDataType){kDLFloat, 32, 1};
  Expression *expression = expression_parse(formula, &error);
  if (!expression || !evaluate(call, expression, 0, 0, &range, &value))
    why = "its formula can't be worked out";
  else if (is_extreme(call->kernel) && !expression_is_exact(expression))
    why = "what its formula comes to depends on an order of operations";
  else if (is_out_of_range(call->kernel, &range, of))
    why = "a step of its formula is beyond the range of the type";
  else if (!is_smooth(call, expression, false) ||
           (holds(call->kernel, KERNEL_FEW) && !is_smooth(call, expression, true)))
    why = "its formula jumps at one of the elements";
  expression_value_free(&value);
  expression_free(expression);
  return why;
}
