// SPDX-License-Identifier: Apache-2.0
// Functions over axes: the axes are brought to the end, and each row is worked on.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression_arrays.h"
#include "expression/expression_bodies.h"
#include "expression/expression_elements.h"

// An array whose last axes are those that a function goes over: rows of `size` elements.
typedef struct Rows {
  ExpressionValue array;              // own
  int32_t axes[EXPRESSION_RANK_MAX];  // where each axis was
  int32_t kept;                       // axes before those of a row
  size_t size, count;
} Rows;

static bool is_given(const ExpressionValue *value)
{
  return value && value->kind != EXPRESSION_NONE;
}

// As bits which axes `given` names; all where it is left out.
static bool axes_of(ExpressionMachine *machine, const ExpressionValue *value,
                    const ExpressionValue *given, unsigned *axes)
{
  int64_t numbers[EXPRESSION_RANK_MAX];
  int32_t count, axis;
  *axes = (1u << value->rank) - 1;
  if (!is_given(given)) return true;
  if (!machine_need_integers(machine, given, "axis", numbers, &count)) return false;
  *axes = 0;
  for (int32_t i = 0; i < count; ++i) {
    // NumPy has a number have an axis here.
    if (!arrays_axis(machine, numbers[i], value->rank ? value->rank : 1, &axis)) return false;
    if (value->rank == 0) continue;
    if (*axes >> axis & 1) return machine_fail(machine, "an axis is named twice");
    *axes |= 1u << axis;
  }
  return true;
}

static bool make_rows(ExpressionMachine *machine, const ExpressionValue *value, unsigned axes,
                      Rows *rows)
{
  int32_t last = 0;
  *rows = (Rows){.size = 1, .count = 1};
  for (int32_t k = 0; k < value->rank; ++k) {
    if (axes >> k & 1) continue;
    rows->axes[rows->kept++] = k;
    rows->count *= (size_t)value->shape[k];
  }
  for (int32_t k = 0; k < value->rank; ++k) {
    if (!(axes >> k & 1)) continue;
    rows->axes[rows->kept + last++] = k;
    rows->size *= (size_t)value->shape[k];
  }
  return arrays_transpose(machine, value, rows->axes, &rows->array);
}

// The shape with one element for each row.
static int32_t shape_without(const ExpressionValue *value, unsigned axes, bool keep,
                             int64_t shape[EXPRESSION_RANK_MAX])
{
  int32_t rank = 0;
  for (int32_t k = 0; k < value->rank; ++k) {
    bool gone = axes >> k & 1;
    if (!gone || keep) shape[rank++] = gone ? 1 : value->shape[k];
  }
  return rank;
}

// --- Rows ----------------------------------------------------------------------------------------

static long double sum_of(const long double *row, size_t size, bool integers)
{
  long double sum = 0;
  for (size_t i = 0; i < size; ++i)
    sum = integers ? element_integer_plus((long double[]){sum, row[i]}) : sum + row[i];
  return sum;
}

static long double product_of(const long double *row, size_t size, bool integers)
{
  long double product = 1;
  for (size_t i = 0; i < size; ++i)
    product = integers ? element_integer_times((long double[]){product, row[i]}) : product * row[i];
  return product;
}

static long double variance_of(const long double *row, size_t size, long double less)
{
  long double mean = sum_of(row, size, false) / (long double)size, sum = 0;
  for (size_t i = 0; i < size; ++i) sum += (row[i] - mean) * (row[i] - mean);
  return sum / ((long double)size - less);
}

static long double extreme_of(const long double *row, size_t size, ElementFunction *better)
{
  long double extreme = row[0];
  for (size_t i = 1; i < size; ++i) extreme = better((long double[]){extreme, row[i]});
  return extreme;
}

static size_t true_ones(const long double *row, size_t size)
{
  size_t count = 0;
  for (size_t i = 0; i < size; ++i) count += row[i] != 0;
  return count;
}

static long double reduce_row(ReduceChoice choice, const long double *row, size_t size,
                              bool integers, long double less)
{
  switch (choice) {
    case REDUCE_SUM:
      return sum_of(row, size, integers);
    case REDUCE_PROD:
      return product_of(row, size, integers);
    case REDUCE_MEAN:
      return sum_of(row, size, false) / (long double)size;
    case REDUCE_VAR:
      return variance_of(row, size, less);
    case REDUCE_STD:
      return sqrtl(variance_of(row, size, less));
    case REDUCE_MAX:
      return extreme_of(row, size, element_maximum);
    case REDUCE_MIN:
      return extreme_of(row, size, element_minimum);
    case REDUCE_ANY:
      return true_ones(row, size) > 0;
    case REDUCE_ALL:
      return true_ones(row, size) == size;
  }
  return 0;
}

static ExpressionKind kind_of_outcome(ReduceChoice choice, ExpressionKind kind)
{
  if (choice == REDUCE_ANY || choice == REDUCE_ALL) return EXPRESSION_BOOL;
  if (choice == REDUCE_MEAN || choice == REDUCE_VAR || choice == REDUCE_STD)
    return EXPRESSION_FLOAT;
  bool counts = choice == REDUCE_SUM || choice == REDUCE_PROD;
  return counts && kind == EXPRESSION_BOOL ? EXPRESSION_INT : kind;
}

static bool reduce(ExpressionMachine *machine, ReduceChoice choice,
                   const FunctionArguments *arguments, ExpressionValue *out)
{
  enum { X, AXIS, KEEPDIMS, DDOF };
  const ExpressionValue *value = arguments->given[X];
  unsigned axes;
  bool keep;
  int64_t less = 0, shape[EXPRESSION_RANK_MAX];
  Rows rows;
  if (!machine_need_array(machine, arguments->given[X], "x") ||
      !axes_of(machine, value, arguments->given[AXIS], &axes) ||
      !machine_need_flag(machine, arguments->given[KEEPDIMS], false, &keep) ||
      (arguments->given[DDOF] &&
       !machine_need_integer(machine, arguments->given[DDOF], "ddof", &less)))
    return false;
  int32_t rank = shape_without(value, axes, keep, shape);
  if (!make_rows(machine, value, axes, &rows)) return false;
  bool made = rows.size || (choice != REDUCE_MAX && choice != REDUCE_MIN) ||
              machine_fail(machine, "no elements have no maximum or minimum");
  made = made && machine_new(machine, out, kind_of_outcome(choice, value->kind), rank, shape);
  for (size_t i = 0; made && i < rows.count; ++i)
    out->elements[i] = reduce_row(choice, rows.array.elements + i * rows.size, rows.size,
                                  out->kind == EXPRESSION_INT, (long double)less);
  machine_free(machine, &rows.array);
  return made;
}

bool body_reduce(ExpressionMachine *machine, const ExpressionFunction *function,
                 const FunctionArguments *arguments, ExpressionValue *out)
{
  return reduce(machine, (ReduceChoice)function->as.choice, arguments, out);
}

bool body_extreme(ExpressionMachine *machine, const ExpressionFunction *function,
                  const FunctionArguments *arguments, ExpressionValue *out)
{
  FunctionArguments one = *arguments;
  bool minimum = function->as.choice != 0;
  if (arguments->count > 1 && !one.given[1] && !one.given[2])
    return body_maximum(machine, function, arguments, out);
  if (arguments->count > 1) return machine_fail(machine, "an axis goes with one array");
  return reduce(machine, minimum ? REDUCE_MIN : REDUCE_MAX, &one, out);
}

// --- Where the extreme is ------------------------------------------------------------------------

// The first, and the first NaN before all.
static size_t place_of_extreme(const long double *row, size_t size, bool minimum)
{
  size_t place = 0;
  for (size_t i = 0; i < size; ++i) {
    if (isnan(row[i])) return i;
    if (minimum ? row[i] < row[place] : row[i] > row[place]) place = i;
  }
  return place;
}

bool body_argument(ExpressionMachine *machine, const ExpressionFunction *function,
                   const FunctionArguments *arguments, ExpressionValue *out)
{
  const ExpressionValue *value = arguments->given[0];
  unsigned axes;
  bool keep;
  int64_t shape[EXPRESSION_RANK_MAX];
  Rows rows;
  if (!machine_need_array(machine, arguments->given[0], "x") ||
      !axes_of(machine, value, arguments->given[1], &axes) ||
      !machine_need_flag(machine, arguments->given[2], false, &keep))
    return false;
  int32_t rank = shape_without(value, axes, keep, shape);
  if (!make_rows(machine, value, axes, &rows)) return false;
  bool made = (rows.size || machine_fail(machine, "no elements have no maximum or minimum")) &&
              machine_new(machine, out, EXPRESSION_INT, rank, shape);
  for (size_t i = 0; made && i < rows.count; ++i)
    out->elements[i] = (long double)place_of_extreme(rows.array.elements + i * rows.size, rows.size,
                                                     function->as.choice != 0);
  machine_free(machine, &rows.array);
  return made;
}

// --- Along one axis ------------------------------------------------------------------------------

// Rows along one axis; where none is named, along `otherwise`, or along all elements if that is 0.
static bool rows_along(ExpressionMachine *machine, ExpressionValue *value,
                       const ExpressionValue *given, int64_t otherwise, Rows *rows)
{
  int64_t number = otherwise;
  int32_t axis;
  if (is_given(given) && !machine_need_integer(machine, given, "axis", &number)) return false;
  if (otherwise == 0 && (!is_given(given) || value->rank == 0)) {
    value->rank = 1;
    value->shape[0] = (int64_t)value->count;
  }
  return arrays_axis(machine, number, value->rank, &axis) &&
         make_rows(machine, value, 1u << axis, rows);
}

// The axes as they were before.
static bool put_back(ExpressionMachine *machine, Rows *rows, ExpressionValue *out)
{
  int32_t axes[EXPRESSION_RANK_MAX];
  for (int32_t k = 0; k < rows->array.rank; ++k) axes[rows->axes[k]] = k;
  bool made = arrays_transpose(machine, &rows->array, axes, out);
  machine_free(machine, &rows->array);
  return made;
}

bool body_cumulate(ExpressionMachine *machine, const ExpressionFunction *function,
                   const FunctionArguments *arguments, ExpressionValue *out)
{
  Rows rows;
  if (!machine_need_array(machine, arguments->given[0], "x") ||
      !rows_along(machine, arguments->given[0], arguments->given[1], 0, &rows))
    return false;
  ExpressionValue *array = &rows.array;
  if (array->kind == EXPRESSION_BOOL) array->kind = EXPRESSION_INT;
  bool integers = array->kind == EXPRESSION_INT;
  for (size_t i = 0; i < array->count; ++i) {
    if (i % rows.size == 0) continue;
    long double *at = &array->elements[i], both[] = {at[-1], at[0]};
    if (function->as.choice)
      *at = integers ? element_integer_times(both) : both[0] * both[1];
    else
      *at = integers ? element_integer_plus(both) : both[0] + both[1];
  }
  return put_back(machine, &rows, out);
}

// An element with its place, which decides between equals.
typedef struct Sorted {
  long double value;
  size_t place;
} Sorted;

static int by_place(const Sorted *a, const Sorted *b)
{
  return (a->place > b->place) - (a->place < b->place);
}

// NaN is behind every number.
static int ascending(const void *left, const void *right)
{
  const Sorted *a = left, *b = right;
  if (isnan(a->value) || isnan(b->value)) {
    int order = (isnan(a->value) != 0) - (isnan(b->value) != 0);
    return order ? order : by_place(a, b);
  }
  if (a->value != b->value) return a->value < b->value ? -1 : 1;
  return by_place(a, b);
}

static int descending(const void *left, const void *right)
{
  const Sorted *a = left, *b = right;
  if (isnan(a->value) || isnan(b->value)) {
    int order = (isnan(b->value) != 0) - (isnan(a->value) != 0);
    return order ? order : by_place(a, b);
  }
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return by_place(a, b);
}

static void sort_row(long double *row, size_t size, Sorted *room, bool falls, bool places)
{
  for (size_t i = 0; i < size; ++i) room[i] = (Sorted){row[i], i};
  qsort(room, size, sizeof *room, falls ? descending : ascending);
  for (size_t i = 0; i < size; ++i) row[i] = places ? (long double)room[i].place : room[i].value;
}

bool body_sort(ExpressionMachine *machine, const ExpressionFunction *function,
               const FunctionArguments *arguments, ExpressionValue *out)
{
  Rows rows;
  bool falls, places = function->as.choice != 0;
  if (!machine_need_array(machine, arguments->given[0], "x") ||
      !machine_need_flag(machine, arguments->given[2], false, &falls) ||
      !rows_along(machine, arguments->given[0], arguments->given[1], -1, &rows))
    return false;
  Sorted *room = calloc(rows.size + 1, sizeof *room);
  if (!room) {
    machine_free(machine, &rows.array);
    return machine_fail(machine, "out of memory");
  }
  for (size_t i = 0; i < rows.count; ++i)
    sort_row(rows.array.elements + i * rows.size, rows.size, room, falls, places);
  free(room);
  if (places) rows.array.kind = EXPRESSION_INT;
  return put_back(machine, &rows, out);
}
