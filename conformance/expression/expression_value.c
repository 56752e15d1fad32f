// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"

enum { ELEMENTS_MAX = 1 << 24, TUPLE_MAX = 1 << 16 };

bool expression_value_new(ExpressionValue *value, ExpressionKind kind, int32_t rank,
                          const int64_t *shape)
{
  size_t count = 1;
  *value = (ExpressionValue){.kind = EXPRESSION_NONE};
  if (rank < 0 || rank > EXPRESSION_RANK_MAX) return false;
  // An extent of 0 does not excuse others that are too large.
  for (int32_t k = 0; k < rank; ++k) {
    if (shape[k] < 0 || shape[k] > ELEMENTS_MAX) return false;
    size_t extent = (size_t)shape[k];
    if (extent && count > ELEMENTS_MAX / extent) return false;
    if (extent) count *= extent;
    value->shape[k] = shape[k];
  }
  for (int32_t k = 0; k < rank; ++k)
    if (shape[k] == 0) count = 0;
  value->elements = calloc(count ? count : 1, sizeof *value->elements);
  if (!value->elements) return false;
  value->kind = kind;
  value->rank = rank;
  value->count = count;
  return true;
}

bool expression_value_scalar(ExpressionValue *value, ExpressionKind kind, long double number)
{
  if (!expression_value_new(value, kind, 0, NULL)) return false;
  value->elements[0] = number;
  return true;
}

bool expression_value_string(ExpressionValue *value, const char *bytes, size_t size)
{
  *value = (ExpressionValue){.kind = EXPRESSION_NONE};
  value->string = malloc(size + 1);
  if (!value->string) return false;
  if (size) memcpy(value->string, bytes, size);
  value->string[size] = '\0';
  value->kind = EXPRESSION_STRING;
  value->count = size;
  return true;
}

bool expression_value_tuple(ExpressionValue *value, size_t count)
{
  *value = (ExpressionValue){.kind = EXPRESSION_NONE};
  if (count > TUPLE_MAX) return false;
  value->items = calloc(count ? count : 1, sizeof *value->items);
  if (!value->items) return false;
  value->kind = EXPRESSION_TUPLE;
  value->count = count;
  return true;
}

static bool holds_numbers(const ExpressionValue *value)
{
  return value->kind >= EXPRESSION_BOOL && value->kind <= EXPRESSION_FLOAT;
}

bool expression_value_stacks(const ExpressionValue *tuple, ExpressionValue *array)
{
  const ExpressionValue *first = tuple->items;
  *array = (ExpressionValue){.kind = EXPRESSION_BOOL};
  if (tuple->kind != EXPRESSION_TUPLE || tuple->count == 0 || first->key) return false;
  if (first->rank == EXPRESSION_RANK_MAX) return false;
  for (size_t i = 0; i < tuple->count; ++i) {
    const ExpressionValue *item = &tuple->items[i];
    if (!holds_numbers(item) || item->rank != first->rank ||
        memcmp(item->shape, first->shape, (size_t)first->rank * sizeof *first->shape) != 0)
      return false;
    if (item->kind > array->kind) array->kind = item->kind;
  }
  array->rank = first->rank + 1;
  array->shape[0] = (int64_t)tuple->count;
  memcpy(array->shape + 1, first->shape, (size_t)first->rank * sizeof *first->shape);
  return true;
}

void expression_value_stack(const ExpressionValue *tuple, ExpressionValue *array)
{
  const size_t count = tuple->items[0].count;
  for (size_t i = 0; i < tuple->count && count; ++i)
    memcpy(array->elements + i * count, tuple->items[i].elements, count * sizeof *array->elements);
}

// Values within values are as deep as what was looked up; the language nests none by itself.
bool expression_value_make_array(ExpressionValue *value)
{
  ExpressionValue wanted, array;
  if (value->kind >= EXPRESSION_BOOL && value->kind <= EXPRESSION_FLOAT) return true;
  if (!expression_value_stacks(value, &wanted) ||
      !expression_value_new(&array, wanted.kind, wanted.rank, wanted.shape))
    return false;
  expression_value_stack(value, &array);
  expression_value_free(value);
  *value = array;
  return true;
}

void expression_value_free(ExpressionValue *value)
{
  if (!value->borrowed) {
    for (size_t i = 0; value->items && i < value->count; ++i)
      expression_value_free(&value->items[i]);
    free(value->items);
    free(value->elements);
    free(value->string);
    free(value->key);
  }
  *value = (ExpressionValue){.kind = EXPRESSION_NONE};
}
