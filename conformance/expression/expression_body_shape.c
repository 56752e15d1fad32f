// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "expression/expression_arrays.h"
#include "expression/expression_bodies.h"
#include "expression/expression_elements.h"

// --- Another shape -------------------------------------------------------------------------------

// One extent may be -1: what is left.
static bool fill_extent(ExpressionMachine *machine, size_t count, int32_t rank, int64_t *shape)
{
  int64_t known = 1, *open = NULL;
  for (int32_t k = 0; k < rank; ++k) {
    if (shape[k] < -1) return machine_fail(machine, "an extent is not negative");
    if (shape[k] == -1 && open) return machine_fail(machine, "one extent may be -1");
    if (shape[k] == -1)
      open = &shape[k];
    else if (shape[k] != 0 && known > (int64_t)machine->elements_max / shape[k])
      return machine_fail(machine, "the shape has more elements than an array may have");
    else
      known *= shape[k];
  }
  if (open && (known == 0 || (int64_t)count % known != 0))
    return machine_fail(machine, "%zu elements don't have this shape", count);
  if (open) *open = (int64_t)count / known;
  return true;
}

bool body_reshape(ExpressionMachine *machine, const ExpressionFunction *function,
                  const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  const ExpressionValue *value = arguments->given[0];
  int64_t shape[EXPRESSION_RANK_MAX];
  int32_t rank;
  if (!machine_need_array(machine, arguments->given[0], "x") ||
      !machine_need_integers(machine, arguments->given[1], "shape", shape, &rank) ||
      !fill_extent(machine, value->count, rank, shape) ||
      !machine_new(machine, out, value->kind, rank, shape))
    return false;
  if (out->count != value->count) {
    size_t wanted = out->count;
    machine_free(machine, out);
    return machine_fail(machine, "%zu elements for a shape of %zu", value->count, wanted);
  }
  if (out->count) memcpy(out->elements, value->elements, out->count * sizeof *out->elements);
  return true;
}

bool body_transpose(ExpressionMachine *machine, const ExpressionFunction *function,
                    const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  const ExpressionValue *value = arguments->given[0], *given = arguments->given[1];
  int64_t numbers[EXPRESSION_RANK_MAX];
  int32_t axes[EXPRESSION_RANK_MAX], count;
  unsigned seen = 0;
  if (!machine_need_array(machine, arguments->given[0], "x")) return false;
  count = value->rank;
  for (int32_t k = 0; k < count; ++k) numbers[k] = count - 1 - k;
  if (given && given->kind != EXPRESSION_NONE &&
      !machine_need_integers(machine, given, "axes", numbers, &count))
    return false;
  for (int32_t k = 0; k < count; ++k) {
    if (!arrays_axis(machine, numbers[k], value->rank, &axes[k])) return false;
    seen |= 1u << axes[k];
  }
  if (count != value->rank || seen != (1u << count) - 1)
    return machine_fail(machine, "axes names each of %d axes once", (int)value->rank);
  return arrays_transpose(machine, value, axes, out);
}

bool body_broadcast_to(ExpressionMachine *machine, const ExpressionFunction *function,
                       const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  int64_t shape[EXPRESSION_RANK_MAX];
  int32_t rank;
  return machine_need_array(machine, arguments->given[0], "x") &&
         machine_need_integers(machine, arguments->given[1], "shape", shape, &rank) &&
         elements_broadcast(machine, arguments->given[0], rank, shape, out);
}

// --- Several arrays ------------------------------------------------------------------------------

// Their joint kind, and the extent of all along `axis`; they differ in nothing else.
static bool join_shapes(ExpressionMachine *machine, const ExpressionValue *tuple, int32_t axis,
                        ExpressionKind *kind, int64_t shape[EXPRESSION_RANK_MAX])
{
  const ExpressionValue *first = &tuple->items[0];
  memcpy(shape, first->shape, sizeof first->shape);
  shape[axis] = 0;
  *kind = EXPRESSION_BOOL;
  for (size_t i = 0; i < tuple->count; ++i) {
    const ExpressionValue *item = &tuple->items[i];
    if (item->rank != first->rank)
      return machine_fail(machine, "the arrays have different numbers of dimensions");
    for (int32_t k = 0; k < first->rank; ++k)
      if (k != axis && item->shape[k] != first->shape[k])
        return machine_fail(machine, "the shapes of the arrays differ in axis %d", (int)k);
    shape[axis] += item->shape[axis];
    if (item->kind > *kind) *kind = item->kind;
  }
  return true;
}

static bool concatenate(ExpressionMachine *machine, const ExpressionValue *tuple, int32_t axis,
                        ExpressionValue *out)
{
  ExpressionKind kind;
  int64_t shape[EXPRESSION_RANK_MAX];
  size_t outer = 1, inner = 1, done = 0;
  if (!join_shapes(machine, tuple, axis, &kind, shape) ||
      !machine_new(machine, out, kind, tuple->items[0].rank, shape))
    return false;
  for (int32_t k = 0; k < out->rank; ++k) *(k < axis ? &outer : &inner) *= (size_t)shape[k];
  for (size_t i = 0; i < tuple->count; ++i) {
    const ExpressionValue *item = &tuple->items[i];
    size_t part = outer ? item->count / outer : 0;
    for (size_t row = 0; part && row < outer; ++row)
      memcpy(out->elements + row * inner + done, item->elements + row * part,
             part * sizeof *out->elements);
    done += part;
  }
  return true;
}

// What was looked up is copied before it changes.
static bool need_arrays(ExpressionMachine *machine, ExpressionValue *tuple)
{
  ExpressionValue own;
  if (tuple->borrowed) {
    if (!arrays_copy(machine, tuple, &own)) return false;
    *tuple = own;
  }
  if (tuple->kind != EXPRESSION_TUPLE || tuple->count == 0)
    return machine_fail(machine, "a tuple of arrays expected: (a, b)");
  for (size_t i = 0; i < tuple->count; ++i)
    if (!machine_need_array(machine, &tuple->items[i], "an item of the tuple")) return false;
  return true;
}

static bool axis_of(ExpressionMachine *machine, const ExpressionValue *given, int32_t rank,
                    int32_t *axis)
{
  int64_t number = 0;
  if (given && !machine_need_integer(machine, given, "axis", &number)) return false;
  return arrays_axis(machine, number, rank, axis);
}

bool body_concat(ExpressionMachine *machine, const ExpressionFunction *function,
                 const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  int32_t axis;
  ExpressionValue *tuple = arguments->given[0];
  return need_arrays(machine, tuple) &&
         axis_of(machine, arguments->given[1], tuple->items[0].rank, &axis) &&
         concatenate(machine, tuple, axis, out);
}

// As concat of arrays with an axis of extent 1 more.
bool body_stack(ExpressionMachine *machine, const ExpressionFunction *function,
                const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  int32_t axis;
  ExpressionValue *tuple = arguments->given[0];
  if (!need_arrays(machine, tuple) ||
      !axis_of(machine, arguments->given[1], tuple->items[0].rank + 1, &axis))
    return false;
  for (size_t i = 0; i < tuple->count; ++i) {
    ExpressionValue *item = &tuple->items[i];
    if (item->rank == EXPRESSION_RANK_MAX || item->rank < axis)
      return machine_fail(machine, "the arrays can't have an axis more there");
    memmove(item->shape + axis + 1, item->shape + axis,
            (size_t)(item->rank - axis) * sizeof *item->shape);
    item->shape[axis] = 1;
    ++item->rank;
  }
  return concatenate(machine, tuple, axis, out);
}

bool body_array(ExpressionMachine *machine, const ExpressionFunction *function,
                const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  return machine_need_array(machine, arguments->given[0], "the value") &&
         arrays_copy(machine, arguments->given[0], out);
}

// Each element, or each part along the axis, as often as `counts` has at its place.
static bool repeat_by_counts(ExpressionMachine *machine, const ExpressionValue *value,
                             const ExpressionValue *counts, int32_t axis, ExpressionValue *out)
{
  int64_t shape[EXPRESSION_RANK_MAX];
  long double total = 0;
  size_t inner = 1, at = 0;
  if (counts->rank != 1 || (int64_t)counts->count != value->shape[axis])
    return machine_fail(machine, "repeats has another length than x");
  for (size_t i = 0; i < counts->count; ++i) {
    if (counts->elements[i] < 0 || counts->elements[i] > (long double)machine->elements_max)
      return machine_fail(machine, "repeats is negative or too large");
    total += counts->elements[i];
  }
  if (total > (long double)machine->elements_max)
    return machine_fail(machine, "more than %zu elements", machine->elements_max);
  memcpy(shape, value->shape, sizeof value->shape);
  shape[axis] = (int64_t)total;
  if (!machine_new(machine, out, value->kind, value->rank, shape)) return false;
  for (int32_t k = axis + 1; k < value->rank; ++k) inner *= (size_t)shape[k];
  for (size_t part = 0; inner && at < out->count && part * inner < value->count; ++part)
    for (long double n = 0; n < counts->elements[part % counts->count]; ++n, at += inner)
      memcpy(&out->elements[at], &value->elements[part * inner], inner * sizeof *out->elements);
  return true;
}

// Each element, or each part along the axis, `repeats` times.
bool body_repeat(ExpressionMachine *machine, const ExpressionFunction *function,
                 const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  ExpressionValue *value = arguments->given[0];
  int64_t repeats, shape[EXPRESSION_RANK_MAX];
  int32_t axis;
  size_t inner = 1;
  ExpressionValue *counts = arguments->given[1];
  if (!machine_need_array(machine, value, "x") ||
      (counts->kind == EXPRESSION_TUPLE && !machine_need_array(machine, counts, "repeats")))
    return false;
  const bool by_counts = value_is_array(counts) && counts->rank > 0 &&
                         (counts->kind == EXPRESSION_INT || counts->count == 0);
  if (!by_counts && !machine_need_integer(machine, counts, "repeats", &repeats)) return false;
  if (!arguments->given[2] || value->rank == 0) {
    value->rank = 1;
    value->shape[0] = (int64_t)value->count;
  }
  if (!axis_of(machine, arguments->given[2], value->rank, &axis)) return false;
  if (by_counts) return repeat_by_counts(machine, value, counts, axis, out);
  if (repeats < 0 || repeats > (int64_t)machine->elements_max)
    return machine_fail(machine, "repeats is negative or too large");
  memcpy(shape, value->shape, sizeof value->shape);
  shape[axis] *= repeats;
  if (!machine_new(machine, out, value->kind, value->rank, shape)) return false;
  for (int32_t k = axis + 1; k < value->rank; ++k) inner *= (size_t)shape[k];
  for (size_t i = 0; i < out->count; ++i) {
    size_t part = i / inner / (size_t)repeats;
    out->elements[i] = value->elements[part * inner + i % inner];
  }
  return true;
}

// --- New arrays ----------------------------------------------------------------------------------

static bool arange_count(ExpressionMachine *machine, const long double *range, size_t *count)
{
  if (range[2] == 0) return machine_fail(machine, "the step is not 0");
  long double steps = ceill((range[1] - range[0]) / range[2]);
  if (!(steps < (long double)machine->elements_max + 1))
    return machine_fail(machine, "more than %zu elements", machine->elements_max);
  *count = steps > 0 ? (size_t)steps : 0;
  return true;
}

bool body_arange(ExpressionMachine *machine, const ExpressionFunction *function,
                 const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  long double range[3] = {0, 0, 1};
  bool single = !arguments->given[1];
  ExpressionKind kind = EXPRESSION_INT;
  size_t count = 0;
  for (unsigned i = 0; i < 3; ++i) {
    const ExpressionValue *given = arguments->given[i];
    if (!given) continue;
    if (!value_is_array(given) || given->rank != 0)
      return machine_fail(machine, "arange takes numbers");
    range[single && i == 0 ? 1 : i] = given->elements[0];
    if (given->kind == EXPRESSION_FLOAT) kind = EXPRESSION_FLOAT;
  }
  if (!arange_count(machine, range, &count) ||
      !machine_new(machine, out, kind, 1, (int64_t[]){(int64_t)count}))
    return false;
  for (size_t i = 0; i < count; ++i) out->elements[i] = range[0] + (long double)i * range[2];
  return true;
}

bool body_full(ExpressionMachine *machine, const ExpressionFunction *function,
               const FunctionArguments *arguments, ExpressionValue *out)
{
  ExpressionValue *value = arguments->given[1];
  long double number = function->as.choice;
  ExpressionValue plain = {.kind = EXPRESSION_INT, .count = 1, .elements = &number};
  int64_t shape[EXPRESSION_RANK_MAX];
  int32_t rank;
  if (value && !machine_need_array(machine, value, "the value")) return false;
  return machine_need_integers(machine, arguments->given[0], "shape", shape, &rank) &&
         elements_broadcast(machine, value ? value : &plain, rank, shape, out);
}

// --- Counts --------------------------------------------------------------------------------------

static bool length_of(ExpressionMachine *machine, const ExpressionValue *value,
                      ExpressionValue *out)
{
  const bool shaped = value_is_array(value) || value->kind == EXPRESSION_OUTPUT;
  if (shaped && value->rank == 0) return machine_fail(machine, "a number has no length");
  if (value->kind == EXPRESSION_NONE) return machine_fail(machine, "None has no length");
  return machine_scalar(machine, out, EXPRESSION_INT,
                        shaped ? (long double)value->shape[0] : (long double)value->count);
}

bool body_count(ExpressionMachine *machine, const ExpressionFunction *function,
                const FunctionArguments *arguments, ExpressionValue *out)
{
  ExpressionValue *value = arguments->given[0];
  if (function->as.choice == COUNT_LENGTH) return length_of(machine, value, out);
  if (value->kind != EXPRESSION_OUTPUT && !machine_need_array(machine, value, "x")) return false;
  if (function->as.choice == COUNT_DIMENSIONS)
    return machine_scalar(machine, out, EXPRESSION_INT, value->rank);
  if (function->as.choice == COUNT_ELEMENTS)
    return machine_scalar(machine, out, EXPRESSION_INT, (long double)value->count);
  if (!machine_new(machine, out, EXPRESSION_INT, 1, (int64_t[]){value->rank})) return false;
  for (int32_t k = 0; k < value->rank; ++k) out->elements[k] = (long double)value->shape[k];
  out->extents = true;
  return true;
}
