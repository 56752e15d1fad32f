// SPDX-License-Identifier: Apache-2.0
#include "native/list.h"

#include <stdlib.h>
#include <string.h>

#include "container/sequence.h"
#include "core/any.h"
#include "core/raise.h"

// Makes room between two elements: moves those from `from` on to `to`, which may be further down.
static void list_move(TVMFFIObject *list, int64_t from, int64_t to)
{
  TVMFFISeqCell *cell = sequence_cell(list);
  TVMFFIAny *values = cell->data;
  if (from < cell->size) {
    memmove(values + to, values + from, (size_t)(cell->size - from) * sizeof *values);
  }
  cell->size += to - from;
}

// Returns own: the element that is taken out.
static TVMFFIAny list_take(TVMFFIObject *list, int64_t index)
{
  TVMFFIAny value = sequence_values(list)[index];
  list_move(list, index + 1, index);
  return value;
}

static int list_check_index(const NativeCall *call)
{
  int64_t index = call->args[1].v_int64, size = sequence_cell(call->args[0].v_obj)->size;
  return index < 0 || index >= size ? native_fail_index(call, index, size) : 0;  // CON-29
}

static int list_check_range(const NativeCall *call)
{
  int64_t first = call->args[1].v_int64, end = call->args[2].v_int64;
  int64_t size = sequence_cell(call->args[0].v_obj)->size;
  if (first < 0 || first > size) return native_fail_index(call, first, size);
  return end < first || end > size ? native_fail_index(call, end, size) : 0;
}

//--------------------------------------------------------------------------------------------------
// One element
//--------------------------------------------------------------------------------------------------

static int list_insert_at(TVMFFIObject *list, int64_t index, const TVMFFIAny *view)
{
  TVMFFIAny value;
  if (any_own(view, &value) != 0) return -1;
  if (sequence_reserve(list, sequence_cell(list)->size + 1) != 0) {
    any_release(&value);
    return -1;
  }
  list_move(list, index, index + 1);
  sequence_values(list)[index] = value;
  return 0;
}

int list_append(const NativeCall *call)
{
  TVMFFIObject *list = call->args[0].v_obj;
  TVMFFISeqCell *cell = sequence_cell(list);
  if (sequence_reserve(list, cell->size + 1) != 0) return -1;
  if (any_own(&call->args[1], sequence_values(list) + cell->size) != 0) return -1;
  ++cell->size;  // CON-24
  return 0;
}

int list_insert(const NativeCall *call)
{
  TVMFFIObject *list = call->args[0].v_obj;
  int64_t index = call->args[1].v_int64, size = sequence_cell(list)->size;
  if (index < 0 || index > size) return native_fail_index(call, index, size);
  return list_insert_at(list, index, &call->args[2]);
}

int list_set_item(const NativeCall *call)
{
  TVMFFIAny value;
  if (list_check_index(call) != 0 || any_own(&call->args[2], &value) != 0) return -1;
  TVMFFIAny *place = sequence_values(call->args[0].v_obj) + call->args[1].v_int64;
  TVMFFIAny old = *place;
  *place = value;
  any_release(&old);  // CON-25
  return 0;
}

int list_pop(const NativeCall *call)
{
  if (list_check_index(call) != 0) return -1;
  return native_give(call, list_take(call->args[0].v_obj, call->args[1].v_int64));  // CON-26
}

int list_erase(const NativeCall *call)
{
  if (list_check_index(call) != 0) return -1;
  TVMFFIAny value = list_take(call->args[0].v_obj, call->args[1].v_int64);
  any_release(&value);
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Several elements
//--------------------------------------------------------------------------------------------------

// Puts other elements in the place of those from `first` to `end`.
// values: own, on success; `count` of them. Returns 0; -1 with InternalError.
static int list_replace(TVMFFIObject *list, int64_t first, int64_t end, const TVMFFIAny *values,
                        int64_t count)
{
  TVMFFISeqCell *cell = sequence_cell(list);
  size_t removed = (size_t)(end - first);
  TVMFFIAny few[16], *taken = few;
  if (removed == 0 && count == 0) return 0;
  if (sequence_reserve(list, cell->size - (end - first) + count) != 0) return -1;
  if (removed > sizeof few / sizeof *few) taken = malloc(removed * sizeof *taken);
  if (taken == NULL) return raise_out_of_memory();
  TVMFFIAny *place = sequence_values(list) + first;
  if (removed != 0) memcpy(taken, place, removed * sizeof *taken);
  list_move(list, end, first + count);
  if (count != 0) memcpy(place, values, (size_t)count * sizeof *values);
  for (size_t i = 0; i < removed; ++i) any_release(&taken[i]);
  if (taken != few) free(taken);
  return 0;
}

int list_erase_range(const NativeCall *call)
{
  if (list_check_range(call) != 0) return -1;
  return list_replace(call->args[0].v_obj, call->args[1].v_int64, call->args[2].v_int64, NULL, 0);
}

int list_replace_slice(const NativeCall *call)
{
  if (list_check_range(call) != 0) return -1;
  TVMFFIObject *copy = sequence_copy_to_list(call->args[3].v_obj);  // CON-28: it may be the list
  if (copy == NULL) return -1;
  TVMFFISeqCell *cell = sequence_cell(copy);
  int code = list_replace(call->args[0].v_obj, call->args[1].v_int64, call->args[2].v_int64,
                          cell->data, cell->size);
  if (code == 0) cell->size = 0;  // they have moved
  object_release(copy);
  return code;
}

int list_reverse(const NativeCall *call)
{
  const TVMFFISeqCell *cell = sequence_cell(call->args[0].v_obj);
  TVMFFIAny *values = cell->data;
  for (int64_t low = 0, high = cell->size - 1; low < high; ++low, --high) {  // CON-27
    TVMFFIAny value = values[low];
    values[low] = values[high];
    values[high] = value;
  }
  return 0;
}

int list_clear(const NativeCall *call)
{
  TVMFFISeqCell *cell = sequence_cell(call->args[0].v_obj);
  while (cell->size > 0) {
    TVMFFIAny value = ((TVMFFIAny *)cell->data)[--cell->size];
    any_release(&value);
  }
  return 0;
}

int list_reserve(const NativeCall *call)
{
  int64_t count = call->args[1].v_int64;
  if (count < 0) return raise_negative(call->spec->name, "argument #1", count);
  return sequence_reserve(call->args[0].v_obj, count);
}
