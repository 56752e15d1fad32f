// SPDX-License-Identifier: Apache-2.0
#include "expression/expression_arrays.h"

#include <stdlib.h>
#include <string.h>

#include "expression/expression_elements.h"

bool arrays_axis(ExpressionMachine *machine, int64_t number, int32_t rank, int32_t *axis)
{
  if (number < -rank || number >= rank)
    return machine_fail(machine, "axis %lld of an array of %d dimensions", (long long)number,
                        (int)rank);
  *axis = (int32_t)(number < 0 ? number + rank : number);
  return true;
}

// --- Copies --------------------------------------------------------------------------------------

static bool copy_array(ExpressionMachine *machine, const ExpressionValue *value,
                       ExpressionValue *out)
{
  if (!machine_new(machine, out, value->kind, value->rank, value->shape)) return false;
  if (value->count) memcpy(out->elements, value->elements, value->count * sizeof *out->elements);
  out->dtype = value->dtype;
  return true;
}

static bool copy_tuple(ExpressionMachine *machine, const ExpressionValue *value,
                       ExpressionValue *out)
{
  if (!expression_value_tuple(out, value->count)) return machine_fail(machine, "out of memory");
  for (size_t i = 0; i < value->count; ++i) {
    const ExpressionValue *item = &value->items[i];
    bool copied = arrays_copy(machine, item, &out->items[i]);
    if (copied && item->key && !(out->items[i].key = strdup(item->key)))
      copied = machine_fail(machine, "out of memory");
    if (copied) continue;
    machine_free(machine, out);
    return false;
  }
  return true;
}

bool arrays_copy(ExpressionMachine *machine, const ExpressionValue *value, ExpressionValue *out)
{
  *out = (ExpressionValue){.kind = EXPRESSION_NONE};
  if (value_is_array(value)) return copy_array(machine, value, out);
  if (value->kind == EXPRESSION_TUPLE) return copy_tuple(machine, value, out);
  if (value->kind != EXPRESSION_STRING) {
    // Nothing is owned by these.
    if (value->kind == EXPRESSION_OUTPUT || value->kind == EXPRESSION_OTHER) *out = *value;
    out->key = NULL;
    return true;
  }
  return expression_value_string(out, value->string, value->count) ||
         machine_fail(machine, "out of memory");
}

bool arrays_transpose(ExpressionMachine *machine, const ExpressionValue *array, const int32_t *axes,
                      ExpressionValue *out)
{
  int64_t strides[EXPRESSION_RANK_MAX], steps[EXPRESSION_RANK_MAX], shape[EXPRESSION_RANK_MAX];
  int64_t index[EXPRESSION_RANK_MAX] = {0}, stride = 1, at = 0;
  for (int32_t k = array->rank; k-- > 0; stride *= array->shape[k]) strides[k] = stride;
  for (int32_t k = 0; k < array->rank; ++k) {
    shape[k] = array->shape[axes[k]];
    steps[k] = strides[axes[k]];
  }
  if (!machine_new(machine, out, array->kind, array->rank, shape)) return false;
  for (size_t i = 0; i < out->count; ++i) {
    out->elements[i] = array->elements[at];
    for (int32_t k = array->rank; k-- > 0;) {
      at += steps[k];
      if (++index[k] < shape[k]) break;
      at -= steps[k] * shape[k];
      index[k] = 0;
    }
  }
  return true;
}

// --- The matrix product --------------------------------------------------------------------------

// As a batch of matrices: a vector is one row on the left, one column on the right.
static ExpressionValue matrix_of(const ExpressionValue *value, bool left)
{
  ExpressionValue matrix = *value;
  matrix.borrowed = true;
  if (value->rank != 1) return matrix;
  matrix.rank = 2;
  matrix.shape[0] = left ? 1 : value->shape[0];
  matrix.shape[1] = left ? value->shape[0] : 1;
  return matrix;
}

static size_t extent_from_end(const ExpressionValue *matrix, int32_t k)
{
  return (size_t)matrix->shape[matrix->rank - k];
}

enum { COLUMNS_TOGETHER = 4 };

// A row of the one with some columns of the other, which lie side by side.
static void multiply_row(const long double *row, const long double *columns, size_t count,
                         size_t stride, long double out[COLUMNS_TOGETHER])
{
  long double a = 0, b = 0, c = 0, d = 0;
  for (size_t i = 0; i < count; ++i) {
    const long double *others = columns + i * stride;
    a += row[i] * others[0];
    b += row[i] * others[1];
    c += row[i] * others[2];
    d += row[i] * others[3];
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
}

// A row of the one with a column of the other.
static long double product(const long double *row, const long double *column, size_t count,
                           size_t stride, bool integers)
{
  long double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const long double *other = column + i * stride;
    if (integers)
      sum = element_integer_plus(
          (long double[]){sum, element_integer_times((long double[]){row[i], *other})});
    else
      sum += row[i] * *other;
  }
  return sum;
}

// All rows with some columns at a time, which the cache holds then.
static void multiply_matrices(const long double *left, const long double *right, size_t rows,
                              size_t inner, size_t columns, bool integers, long double *out)
{
  for (size_t at = 0; at < columns;) {
    const bool together = !integers && at + COLUMNS_TOGETHER <= columns;
    for (size_t row = 0; row < rows; ++row) {
      long double *to = out + row * columns + at;
      if (together)
        multiply_row(left + row * inner, right + at, inner, columns, to);
      else
        *to = product(left + row * inner, right + at, inner, columns, integers);
    }
    at += together ? COLUMNS_TOGETHER : 1;
  }
}

// Both have the same matrices before them, row by row.
static void multiply(const ExpressionValue *left, const ExpressionValue *right,
                     ExpressionValue *out)
{
  const size_t rows = extent_from_end(left, 2), inner = extent_from_end(left, 1),
               columns = extent_from_end(right, 1);
  for (size_t i = 0; i < out->count / (rows * columns); ++i)
    multiply_matrices(left->elements + i * rows * inner, right->elements + i * inner * columns,
                      rows, inner, columns, out->kind == EXPRESSION_INT,
                      out->elements + i * rows * columns);
}

// The matrices of `value`, repeated for this batch of them.
static bool spread(ExpressionMachine *machine, const ExpressionValue *value, int32_t batch_rank,
                   const int64_t *batch, ExpressionValue *out)
{
  int64_t shape[EXPRESSION_RANK_MAX];
  memcpy(shape, batch, (size_t)batch_rank * sizeof *shape);
  memcpy(shape + batch_rank, value->shape + value->rank - 2, 2 * sizeof *shape);
  if (batch_rank + 2 == value->rank &&
      memcmp(shape, value->shape, (size_t)value->rank * sizeof *shape) == 0) {
    *out = *value;
    return true;
  }
  return elements_broadcast(machine, value, batch_rank + 2, shape, out);
}

static bool batch_shape(ExpressionMachine *machine, const ExpressionValue *left,
                        const ExpressionValue *right, int32_t *rank, int64_t *shape)
{
  ExpressionValue leading[] = {*left, *right};
  const ExpressionValue *operands[] = {&leading[0], &leading[1]};
  leading[0].rank -= 2;
  leading[1].rank -= 2;
  return elements_shape(machine, operands, 2, rank, shape);
}

static bool multiply_batches(ExpressionMachine *machine, const ExpressionValue *left,
                             const ExpressionValue *right, bool rows, bool columns,
                             ExpressionValue *out)
{
  int64_t shape[EXPRESSION_RANK_MAX];
  int32_t rank;
  ExpressionValue first = {.kind = EXPRESSION_NONE}, second = {.kind = EXPRESSION_NONE};
  ExpressionKind kind = elements_kind(left, right);
  if (!batch_shape(machine, left, right, &rank, shape)) return false;
  bool made =
      spread(machine, left, rank, shape, &first) && spread(machine, right, rank, shape, &second);
  if (rows) shape[rank++] = (int64_t)extent_from_end(left, 2);
  if (columns) shape[rank++] = (int64_t)extent_from_end(right, 1);
  made = made &&
         machine_new(machine, out, kind == EXPRESSION_BOOL ? EXPRESSION_INT : kind, rank, shape);
  made = made && machine_steps(machine, (uint64_t)out->count * extent_from_end(left, 1));
  if (made && out->count) multiply(&first, &second, out);
  if (!made) machine_free(machine, out);
  machine_free(machine, &first);
  machine_free(machine, &second);
  return made;
}

bool arrays_matmul(ExpressionMachine *machine, const ExpressionValue *left,
                   const ExpressionValue *right, ExpressionValue *out)
{
  char first[128], second[128];
  *out = (ExpressionValue){.kind = EXPRESSION_NONE};
  if (left->rank == 0 || right->rank == 0)
    return machine_fail(machine, "@ multiplies arrays, not numbers");
  ExpressionValue a = matrix_of(left, true), b = matrix_of(right, false);
  if (extent_from_end(&a, 1) != extent_from_end(&b, 2))
    return machine_fail(machine, "%s @ %s: the inner extents differ", value_words(left, first),
                        value_words(right, second));
  return multiply_batches(machine, &a, &b, left->rank > 1, right->rank > 1, out);
}
