// SPDX-License-Identifier: Apache-2.0
// Lists change: by functions of the runtime, by code that works on their bytes, and while they are
// being changed.
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "probe.h"
#include "unit/unit.h"

static TVMFFISeqCell *cell_of(TVMFFIObject *list)
{
  return (TVMFFISeqCell *)(list + 1);
}

static int64_t number_at(TVMFFIObject *list, int64_t index)
{
  const TVMFFIAny *value = (const TVMFFIAny *)cell_of(list)->data + index;
  ck_assert_int_eq(value->type_index, kTVMFFIInt);
  return value->v_int64;
}

static TVMFFIObject *make_list(int64_t count)
{
  TVMFFIObject *list = call_object("ffi.List", NO_ARGS);
  for (int64_t i = 0; i < count; ++i) {
    call_void("ffi.ListAppend", ARGS(view_object(list), view_int(i)));
  }
  return list;
}

// Digits, one an element.
static void expect_digits(TVMFFIObject *list, const char *due)
{
  ck_assert_int_eq(cell_of(list)->size, (int64_t)strlen(due));
  for (int64_t i = 0; due[i] != '\0'; ++i) ck_assert_int_eq(number_at(list, i), due[i] - '0');
}

TEST(elements_are_appended_and_memory_grows)
{
  TVMFFIObject *list = make_list(100);
  ck_assert_int_eq(cell_of(list)->size, 100);
  ck_assert_int_eq(cell_of(list)->capacity, 128);
  ck_assert(cell_of(list)->data_deleter != NULL);
  for (int64_t i = 0; i < 100; ++i) ck_assert_int_eq(number_at(list, i), i);
  expect_counts(list, 1, 1);
  TVMFFIObjectDecRef(list);
}

TEST(elements_are_put_in_and_taken_out)
{
  TVMFFIObject *list = make_list(3);
  TVMFFIAny self = view_object(list);
  call_void("ffi.ListInsert", ARGS(self, view_int(0), view_int(9)));
  expect_digits(list, "9012");
  call_void("ffi.ListInsert", ARGS(self, view_int(4), view_int(8)));
  expect_digits(list, "90128");
  call_void("ffi.ListInsert", ARGS(self, view_int(2), view_int(7)));
  expect_digits(list, "907128");
  call_void("ffi.ListSetItem", ARGS(self, view_int(1), view_int(6)));
  expect_digits(list, "967128");
  ck_assert_int_eq(call_int("ffi.ListPop", ARGS(self, view_int(2))), 7);
  expect_digits(list, "96128");
  call_void("ffi.ListErase", ARGS(self, view_int(4)));
  expect_digits(list, "9612");
  call_void("ffi.ListReverse", ARGS(self));
  expect_digits(list, "2169");
  call_void("ffi.ListEraseRange", ARGS(self, view_int(1), view_int(3)));
  expect_digits(list, "29");
  call_void("ffi.ListReserve", ARGS(self, view_int(1000)));
  ck_assert_int_ge(cell_of(list)->capacity, 1000);
  expect_digits(list, "29");
  call_void("ffi.ListClear", ARGS(self));
  expect_digits(list, "");
  call_void("ffi.ListReverse", ARGS(self));
  TVMFFIObjectDecRef(list);
}

static const struct {
  int first, end;
  const char *other, *due;
} slices[] = {
    {0, 0, "", "0123"},       {0, 0, "789", "7890123"},
    {4, 4, "89", "012389"},   {1, 3, "7", "073"},
    {1, 3, "78", "0783"},     {1, 3, "789", "07893"},
    {0, 4, "", ""},           {0, 4, "5", "5"},
    {2, 3, "", "013"},        {3, 4, "self", "0120123"},
    {0, 4, "self", "0123"},   {2, 2, "self", "01012323"},
    {0, 2, "self", "012323"},
};

TEST(a_slice_is_replaced, .rows = ROWS(slices))
{
  TVMFFIObject *list = make_list(4), *other = list;
  if (strcmp(slices[_i].other, "self") != 0) {
    other = make_list(0);
    for (const char *digit = slices[_i].other; *digit != '\0'; ++digit) {
      call_void("ffi.ListAppend", ARGS(view_object(other), view_int(*digit - '0')));
    }
  }
  call_void("ffi.ListReplaceSlice", ARGS(view_object(list), view_int(slices[_i].first),
                                         view_int(slices[_i].end), view_object(other)));
  expect_digits(list, slices[_i].due);
  expect_counts(list, 1, 1);
  expect_counts(other, 1, 1);
  if (other != list) expect_digits(other, slices[_i].other);
  if (other != list) TVMFFIObjectDecRef(other);
  TVMFFIObjectDecRef(list);
}

static const int64_t bad_ranges[][2] = {
    {-1, 1}, {0, 5}, {3, 2}, {5, 5}, {4, 3}, {INT64_MIN, INT64_MAX}, {0, INT64_MAX}};

TEST(a_range_outside_is_refused, .rows = ROWS(bad_ranges))
{
  TVMFFIObject *list = make_list(4);
  TVMFFIAny self = view_object(list), first = view_int(bad_ranges[_i][0]),
            end = view_int(bad_ranges[_i][1]);
  expect_refused("ffi.ListEraseRange", ARGS(self, first, end), "IndexError", "bounds 4");
  expect_refused("ffi.ListReplaceSlice", ARGS(self, first, end, self), "IndexError", "bounds 4");
  expect_digits(list, "0123");
  TVMFFIObjectDecRef(list);
}

// Objects: each function releases what it takes out, once, and keeps what it puts in.
TEST(references_are_kept_and_released)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *list = make_list(0);
  TVMFFIAny self = view_object(list), object = view_object(&probe);
  for (int i = 0; i < 40; ++i) call_void("ffi.ListAppend", ARGS(self, object));
  expect_counts(&probe, 41, 1);
  call_void("ffi.ListSetItem", ARGS(self, view_int(0), view_int(1)));
  expect_counts(&probe, 40, 1);
  call_void("ffi.ListErase", ARGS(self, view_int(1)));
  expect_counts(&probe, 39, 1);
  drop(call("ffi.ListPop", ARGS(self, view_int(1))));
  expect_counts(&probe, 38, 1);
  call_void("ffi.ListEraseRange", ARGS(self, view_int(1), view_int(21)));
  expect_counts(&probe, 18, 1);
  call_void("ffi.ListReplaceSlice", ARGS(self, view_int(0), view_int(2), self));
  expect_counts(&probe, 34, 1);
  ck_assert_int_eq(cell_of(list)->size, 34);  // a number and 17 objects, without its first two
  call_void("ffi.ListClear", ARGS(self));
  expect_counts(&probe, 1, 1);
  call_void("ffi.ListAppend", ARGS(self, object));
  TVMFFIObjectDecRef(list);
  expect_counts(&probe, 1, 1);
  ck_assert_int_eq(probe.calls, 0);
}

TEST(an_array_is_taken_as_a_list_of_its_own)
{
  TVMFFIObject *array = call_object("ffi.Array", ARGS(view_int(3), view_int(4)));
  TVMFFIObject *list = make_list(2);
  call_void("ffi.ListAppend", ARGS(view_object(array), view_int(5)));
  call_void("ffi.ListClear", ARGS(view_object(array)));
  ck_assert_int_eq(call_int("ffi.ListPop", ARGS(view_object(array), view_int(0))), 3);
  expect_digits(array, "34");
  call_void("ffi.ListReplaceSlice",
            ARGS(view_object(list), view_int(1), view_int(2), view_object(array)));
  expect_digits(list, "034");
  expect_refused("ffi.ListGetItem", ARGS(view_object(array), view_int(0)), "TypeError", "ffi.List");
  expect_counts(array, 1, 1);
  TVMFFIObjectDecRef(array);
  TVMFFIObjectDecRef(list);
}

//--------------------------------------------------------------------------------------------------
// Memory that somebody else put there
//--------------------------------------------------------------------------------------------------

static int freed;
static void *freed_data;

static void note_and_free(void *data)
{
  ++freed;
  freed_data = data;
  free(data);
}

// As code compiled from the C++ headers does.
static TVMFFIAny *put_memory(TVMFFIObject *list, int64_t capacity)
{
  TVMFFISeqCell *cell = cell_of(list);
  TVMFFIAny *data = malloc((size_t)capacity * sizeof *data);
  memcpy(data, cell->data, (size_t)cell->size * sizeof *data);
  cell->data_deleter(cell->data);
  cell->data = data;
  cell->capacity = capacity;
  cell->data_deleter = note_and_free;
  freed = 0;
  return data;
}

TEST(memory_is_freed_by_its_own_deleter)
{
  TVMFFIObject *list = make_list(3);
  TVMFFIAny *data = put_memory(list, 3);
  call_void("ffi.ListSetItem", ARGS(view_object(list), view_int(1), view_int(5)));
  ck_assert_int_eq(freed, 0);
  call_void("ffi.ListAppend", ARGS(view_object(list), view_int(7)));
  ck_assert_int_eq(freed, 1);
  ck_assert_ptr_eq(freed_data, data);
  ck_assert(cell_of(list)->data_deleter != note_and_free);
  expect_digits(list, "0527");
  data = put_memory(list, 10);
  call_void("ffi.ListAppend", ARGS(view_object(list), view_int(8)));
  ck_assert_int_eq(freed, 0);
  TVMFFIObjectDecRef(list);
  ck_assert_int_eq(freed, 1);
  ck_assert_ptr_eq(freed_data, data);
}

// An empty list of compiled code may have no memory at all.
TEST(a_list_without_memory_can_be_used)
{
  TVMFFIObject *list = make_list(0);
  cell_of(list)->data_deleter(cell_of(list)->data);
  cell_of(list)->data = NULL;
  cell_of(list)->capacity = 0;
  TVMFFIAny self = view_object(list);
  call_void("ffi.ListReverse", ARGS(self));
  call_void("ffi.ListClear", ARGS(self));
  call_void("ffi.ListEraseRange", ARGS(self, view_int(0), view_int(0)));
  call_void("ffi.ListReplaceSlice", ARGS(self, view_int(0), view_int(0), self));
  ck_assert(!call_bool("ffi.ListContains", ARGS(self, view_int(0))));
  call_void("ffi.ListAppend", ARGS(self, view_int(1)));
  expect_digits(list, "1");
  TVMFFIObjectDecRef(list);
}

//--------------------------------------------------------------------------------------------------
// Code that uses the list while it is being changed
//--------------------------------------------------------------------------------------------------

static TVMFFIObject *used;
static int64_t seen_size;

static void use_list(void *handle)
{
  seen_size = call_int("ffi.ListSize", ARGS(view_object(used)));
  for (int64_t i = 0; i < 20; ++i)
    call_void("ffi.ListAppend", ARGS(view_object(used), view_int(9)));
  if (handle != NULL) call_void("ffi.ListClear", ARGS(view_object(used)));
}

static TVMFFIAny make_user(void *handle)
{
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIObjectCreateOpaque(handle, kTVMFFIOpaquePyObject, use_list, &out), 0);
  return view_object(out);
}

// One of the functions that release, on a list with such an object in the middle.
static void release_middle(int way)
{
  TVMFFIAny self = view_object(used), middle = view_int(2);
  if (way == 0) call_void("ffi.ListSetItem", ARGS(self, middle, view_int(7)));
  if (way == 1) call_void("ffi.ListErase", ARGS(self, middle));
  if (way == 2) call_void("ffi.ListEraseRange", ARGS(self, view_int(1), view_int(4)));
  if (way == 3) call_void("ffi.ListClear", ARGS(self));
  if (way == 4) call_void("ffi.ListReplaceSlice", ARGS(self, middle, view_int(3), self));
}

TEST(releasing_may_run_code_that_uses_the_list, .rows = 10)
{
  static const int64_t sizes[] = {4, 3, 1, 2, 7};
  used = make_list(4);
  TVMFFIAny user = make_user(_i >= ROWS(sizes) ? used : NULL);
  TVMFFIObjectHandle slot = user.v_obj;
  call_void("ffi.ListSetItem", ARGS(view_object(used), view_int(2), view_rvalue(&slot)));
  ck_assert_int_eq(cell_of(used)->size, 4);
  int way = _i % ROWS(sizes);
  seen_size = -1;
  // With replaced slices the copy holds the object, too.
  release_middle(way);
  if (way == 4) call_void("ffi.ListClear", ARGS(view_object(used)));
  if (way != 4) ck_assert_int_eq(seen_size, sizes[way]);
  ck_assert_int_ge(seen_size, 0);
  TVMFFIObjectDecRef(used);
}

TEST(want_of_memory_is_reported)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *list = make_list(4), *array = call_object("ffi.Array", ARGS(view_object(&probe)));
  TVMFFIAny self = view_object(list), text = view_str("longer than seven");
  drop(call_with_faults("ffi.ListAppend", ARGS(self, text)));
  ck_assert_int_eq(cell_of(list)->size, 5);
  call_void("ffi.ListReserve", ARGS(self, view_int(4)));
  drop(call_with_faults("ffi.ListReserve", ARGS(self, view_int(100))));
  expect_refused("ffi.ListReserve", ARGS(self, view_int(INT64_MAX)), "InternalError", "memory");
  drop(call_with_faults("ffi.ListInsert", ARGS(self, view_int(0), text)));
  drop(call_with_faults("ffi.ListSetItem", ARGS(self, view_int(0), text)));
  drop(call_with_faults("ffi.ListReplaceSlice", ARGS(self, view_int(0), view_int(6), self)));
  for (int i = 0; i < 40; ++i) call_void("ffi.ListAppend", ARGS(self, view_int(i)));
  drop(call_with_faults("ffi.ListEraseRange", ARGS(self, view_int(0), view_int(46))));
  ck_assert_int_eq(cell_of(list)->size, 0);
  drop(call_with_faults("ffi.ListPop", ARGS(view_object(array), view_int(0))));
  TVMFFIObjectDecRef(array);
  expect_counts(&probe, 1, 1);
  TVMFFIObjectDecRef(list);
}
