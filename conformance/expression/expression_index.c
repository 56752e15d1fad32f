// SPDX-License-Identifier: Apache-2.0
// Parts of arrays, as NumPy takes them.
#include <stdlib.h>
#include <string.h>

#include "expression/expression_arrays.h"
#include "expression/expression_elements.h"

static bool is_slice(const ExpressionValue *value)
{
  return (int)value->kind == EXPRESSION_SLICE;
}

static bool is_ellipsis(const ExpressionValue *value)
{
  return (int)value->kind == EXPRESSION_ELLIPSIS;
}

// --- Slices --------------------------------------------------------------------------------------

// Part of a slice: where it is None, `otherwise`.
static bool slice_part(ExpressionMachine *machine, const ExpressionValue *part, int64_t otherwise,
                       int64_t *number)
{
  *number = otherwise;
  return part->kind == EXPRESSION_NONE ||
         machine_need_integer(machine, part, "a part of a slice", number);
}

static int64_t within(int64_t number, int64_t extent, int64_t lowest, int64_t highest)
{
  if (number < 0) number += extent;
  if (number < lowest) return lowest;
  return number > highest ? highest : number;
}

// How many elements, the first of them and the step to the next.
static bool slice_range(ExpressionMachine *machine, const ExpressionValue *slice, int64_t extent,
                        int64_t *count, int64_t *begin, int64_t *step)
{
  const ExpressionValue *parts = slice->items;
  int64_t end;
  if (!slice_part(machine, &parts[2], 1, step)) return false;
  if (*step == 0) return machine_fail(machine, "the step of a slice is not 0");
  if (*step > extent + 1) *step = extent + 1;
  if (*step < -extent - 1) *step = -extent - 1;
  bool up = *step > 0;
  if (!slice_part(machine, &parts[0], up ? 0 : extent - 1, begin) ||
      !slice_part(machine, &parts[1], up ? extent : -1, &end))
    return false;
  int64_t lowest = up ? 0 : -1, highest = up ? extent : extent - 1;
  if (parts[0].kind != EXPRESSION_NONE) *begin = within(*begin, extent, lowest, highest);
  if (parts[1].kind != EXPRESSION_NONE) end = within(end, extent, lowest, highest);
  *count = up ? (end - *begin + *step - 1) / *step : (*begin - end - *step - 1) / -*step;
  if (*count < 0) *count = 0;
  return true;
}

// --- What an index selects -----------------------------------------------------------------------

// A dimension of the outcome: `step` elements apart, or those that the arrays of integers name.
typedef struct Selection {
  int64_t extents[2 * EXPRESSION_RANK_MAX], steps[2 * EXPRESSION_RANK_MAX];
  int32_t rank;           // of the dimensions by slices
  int32_t arrays_before;  // dimensions before those of the arrays
  bool arrays_seen, arrays_apart;
  int64_t offset;  // of the first element
  const ExpressionValue *arrays[EXPRESSION_RANK_MAX];
  int64_t array_strides[EXPRESSION_RANK_MAX], array_extents[EXPRESSION_RANK_MAX];
  unsigned array_count;
} Selection;

static bool add_dimension(ExpressionMachine *machine, Selection *selection, int64_t extent,
                          int64_t step)
{
  if (selection->rank == 2 * EXPRESSION_RANK_MAX)
    return machine_fail(machine, "an array has at most %d dimensions", EXPRESSION_RANK_MAX);
  selection->extents[selection->rank] = extent;
  selection->steps[selection->rank++] = step;
  return true;
}

static bool select_integer(ExpressionMachine *machine, Selection *selection, int64_t index,
                           int64_t extent, int64_t stride)
{
  if (index < -extent || index >= extent)
    return machine_fail(machine, "index %lld is outside an extent of %lld", (long long)index,
                        (long long)extent);
  selection->offset += (index < 0 ? index + extent : index) * stride;
  return true;
}

// Where an array stands among the indexes decides where its dimensions come.
static void place_arrays(Selection *selection, bool next_to_array)
{
  if (!selection->arrays_seen) selection->arrays_before = selection->rank;
  if (selection->arrays_seen && !next_to_array) selection->arrays_apart = true;
  selection->arrays_seen = true;
}

// The strides of the array's own dimensions, which is row by row.
static void strides_of(const ExpressionValue *array, int64_t strides[EXPRESSION_RANK_MAX])
{
  int64_t stride = 1;
  for (int32_t k = array->rank; k-- > 0;) {
    strides[k] = stride;
    stride *= array->shape[k];
  }
}

static bool is_array_index(const ExpressionValue *index)
{
  return value_is_array(index) && index->rank > 0;
}

static bool select_one(ExpressionMachine *machine, Selection *selection,
                       const ExpressionValue *index, int64_t extent, int64_t stride)
{
  int64_t number = 0, count = 0, begin = 0, step = 1;
  if (is_slice(index)) {
    if (!slice_range(machine, index, extent, &count, &begin, &step)) return false;
    if (count) selection->offset += begin * stride;
    return add_dimension(machine, selection, count, step * stride);
  }
  if (value_is_array(index) && index->kind == EXPRESSION_BOOL)
    return machine_fail(machine, "conditions are no index: use where(condition, a, b)");
  if (is_array_index(index) && index->kind == EXPRESSION_INT) {
    selection->arrays[selection->array_count] = index;
    selection->array_strides[selection->array_count] = stride;
    selection->array_extents[selection->array_count++] = extent;
    return true;
  }
  return machine_need_integer(machine, index, "an index", &number) &&
         select_integer(machine, selection, number, extent, stride);
}

static bool select_all(ExpressionMachine *machine, const ExpressionValue *array,
                       const ExpressionValue *indexes, size_t count, Selection *selection)
{
  int64_t strides[EXPRESSION_RANK_MAX];
  size_t used = 0, ellipses = 0;
  bool arrays = false, next_to_array = false;
  for (size_t i = 0; i < count; ++i) {
    ellipses += is_ellipsis(&indexes[i]);
    used += !is_ellipsis(&indexes[i]) && indexes[i].kind != EXPRESSION_NONE;
    arrays |= is_array_index(&indexes[i]);
  }
  if (ellipses > 1) return machine_fail(machine, "an index has one `...` at the most");
  if (used > (size_t)array->rank)
    return machine_fail(machine, "%zu indexes for an array of %d dimensions", used,
                        (int)array->rank);
  strides_of(array, strides);
  for (size_t i = 0, k = 0; i < count; ++i) {
    const ExpressionValue *index = &indexes[i];
    bool advanced = arrays && value_is_array(index);
    // Beside arrays, an integer is one of them.
    if (advanced) place_arrays(selection, next_to_array);
    next_to_array = advanced;
    if (is_ellipsis(index)) {
      for (size_t end = k + (size_t)array->rank - used; k < end; ++k)
        if (!add_dimension(machine, selection, array->shape[k], strides[k])) return false;
    } else if (index->kind == EXPRESSION_NONE) {
      if (!add_dimension(machine, selection, 1, 0)) return false;
    } else {
      if (!select_one(machine, selection, index, array->shape[k], strides[k])) return false;
      ++k;
    }
  }
  for (size_t k = ellipses ? (size_t)array->rank : used; k < (size_t)array->rank; ++k)
    if (!add_dimension(machine, selection, array->shape[k], strides[k])) return false;
  return true;
}

// --- Arrays of integers --------------------------------------------------------------------------

// For each combination of the arrays' elements how far in the array it leads: integers with the
// arrays' joint shape.
static bool join_arrays(ExpressionMachine *machine, const Selection *selection,
                        ExpressionValue *offsets)
{
  int64_t shape[EXPRESSION_RANK_MAX];
  int32_t rank = 0;
  ExpressionValue wide;
  for (unsigned i = 0; i < selection->array_count; i += 1) {
    int64_t own[EXPRESSION_RANK_MAX];
    int32_t own_rank;
    ExpressionValue before = {.kind = EXPRESSION_INT, .rank = rank};
    const ExpressionValue *operands[] = {&before, selection->arrays[i]};
    memcpy(before.shape, shape, (size_t)rank * sizeof *shape);
    if (!elements_shape(machine, operands, 2, &own_rank, own)) return false;
    rank = own_rank;
    memcpy(shape, own, sizeof shape);
  }
  if (!machine_new(machine, offsets, EXPRESSION_INT, rank, shape)) return false;
  for (unsigned i = 0; i < selection->array_count; ++i) {
    int64_t extent = selection->array_extents[i];
    if (!elements_broadcast(machine, selection->arrays[i], rank, shape, &wide)) return false;
    for (size_t k = 0; k < wide.count; ++k) {
      long double number = wide.elements[k];
      if (number < -extent || number >= extent) {
        machine_free(machine, &wide);
        return machine_fail(machine, "index %.0Lf is outside an extent of %lld", number,
                            (long long)extent);
      }
      if (number < 0) number += extent;
      offsets->elements[k] += number * (long double)selection->array_strides[i];
    }
    machine_free(machine, &wide);
  }
  return true;
}

// --- The outcome ---------------------------------------------------------------------------------

// Dimensions of the outcome; those of the arrays have their offsets in `table`.
typedef struct Target {
  int32_t rank, table_begin, table_end;
  int64_t shape[EXPRESSION_RANK_MAX], steps[EXPRESSION_RANK_MAX];
} Target;

static bool lay_out(ExpressionMachine *machine, const Selection *selection,
                    const ExpressionValue *offsets, Target *target)
{
  int32_t table = offsets ? offsets->rank : 0, before = selection->arrays_before;
  if (selection->rank + table > EXPRESSION_RANK_MAX)
    return machine_fail(machine, "an array has at most %d dimensions", EXPRESSION_RANK_MAX);
  if (selection->arrays_apart || !offsets) before = 0;
  *target = (Target){.rank = selection->rank + table, .table_begin = before};
  target->table_end = before + table;
  for (int32_t k = 0; k < target->rank; ++k) {
    bool in_table = k >= before && k < before + table;
    int32_t own = k < before ? k : k - table;
    target->shape[k] = in_table ? offsets->shape[k - before] : selection->extents[own];
    target->steps[k] = in_table ? 0 : selection->steps[own];
  }
  return true;
}

static void copy_selected(const ExpressionValue *array, const Selection *selection,
                          const ExpressionValue *offsets, const Target *target,
                          ExpressionValue *out)
{
  int64_t index[EXPRESSION_RANK_MAX] = {0};
  for (size_t i = 0; i < out->count; ++i) {
    int64_t at = selection->offset, row = 0;
    for (int32_t k = 0; k < target->rank; ++k) {
      at += index[k] * target->steps[k];
      if (k >= target->table_begin && k < target->table_end)
        row = row * target->shape[k] + index[k];
    }
    if (offsets) at += (int64_t)offsets->elements[row];
    out->elements[i] = array->elements[at];
    for (int32_t k = target->rank; k-- > 0;) {
      if (++index[k] < target->shape[k]) break;
      index[k] = 0;
    }
  }
}

static bool index_array(ExpressionMachine *machine, const ExpressionValue *array,
                        const ExpressionValue *indexes, size_t count, ExpressionValue *out)
{
  Selection selection = {.rank = 0};
  Target target;
  ExpressionValue offsets = {.kind = EXPRESSION_NONE};
  if (!select_all(machine, array, indexes, count, &selection)) return false;
  bool arrays = selection.array_count > 0;
  bool made = (!arrays || join_arrays(machine, &selection, &offsets)) &&
              lay_out(machine, &selection, arrays ? &offsets : NULL, &target) &&
              machine_new(machine, out, array->kind, target.rank, target.shape);
  if (made) copy_selected(array, &selection, arrays ? &offsets : NULL, &target, out);
  machine_free(machine, &offsets);
  return made;
}

static bool index_map(ExpressionMachine *machine, const ExpressionValue *map,
                      const ExpressionValue *key, ExpressionValue *out)
{
  for (size_t i = 0; i < map->count; ++i)
    if (map->items[i].key && strcmp(map->items[i].key, key->string) == 0)
      return arrays_copy(machine, &map->items[i], out);
  return machine_fail(machine, "unknown entry");
}

// A part of an array of numbers is taken as that of a tensor.
static bool slice_tuple(ExpressionMachine *machine, const ExpressionValue *tuple,
                        const ExpressionValue *slice, ExpressionValue *out)
{
  ExpressionValue array = {.kind = EXPRESSION_NONE};
  const bool made = arrays_copy(machine, tuple, &array) &&
                    machine_need_array(machine, &array, "the sliced value") &&
                    index_array(machine, &array, slice, 1, out);
  machine_free(machine, &array);
  return made;
}

static bool index_tuple(ExpressionMachine *machine, const ExpressionValue *tuple,
                        const ExpressionValue *index, ExpressionValue *out)
{
  int64_t number, extent = (int64_t)tuple->count;
  if (index->kind == EXPRESSION_STRING) return index_map(machine, tuple, index, out);
  if (is_slice(index)) return slice_tuple(machine, tuple, index, out);
  if (!machine_need_integer(machine, index, "an index", &number)) return false;
  if (number < -extent || number >= extent)
    return machine_fail(machine, "index %lld is outside a tuple of %lld", (long long)number,
                        (long long)extent);
  return arrays_copy(machine, &tuple->items[number < 0 ? number + extent : number], out);
}

bool arrays_index(ExpressionMachine *machine, const ExpressionValue *array,
                  const ExpressionValue *indexes, size_t count, ExpressionValue *out)
{
  char text[128];
  if (array->kind == EXPRESSION_TUPLE && count == 1)
    return index_tuple(machine, array, &indexes[0], out);
  if (!value_is_array(array))
    return machine_fail(machine, "%s can't be indexed", value_words(array, text));
  return index_array(machine, array, indexes, count, out);
}
