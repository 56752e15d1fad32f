// SPDX-License-Identifier: Apache-2.0
// Shapes, arrays, and what lists have in common with them.
#include <string.h>

#include "call.h"
#include "probe.h"
#include "unit/unit.h"

static const char *const makers[] = {"ffi.Array", "ffi.List"};
static const int32_t maker_types[] = {kTVMFFIArray, kTVMFFIList};

static TVMFFISeqCell *cell_of(TVMFFIObject *sequence)
{
  return (TVMFFISeqCell *)(sequence + 1);
}

static const TVMFFIAny *element(TVMFFIObject *sequence, int index)
{
  return (const TVMFFIAny *)cell_of(sequence)->data + index;
}

TEST(elements_lie_in_a_row, .rows = 2)
{
  TVMFFIObject *made = call_object(
      makers[_i], ARGS(view_int(-1), view_bool(1), view_float(0.5), view_none(), view_int(7)));
  ck_assert_int_eq(made->type_index, maker_types[_i]);
  expect_counts(made, 1, 1);
  ck_assert_int_eq(cell_of(made)->size, 5);
  ck_assert_int_ge(cell_of(made)->capacity, 5);
  ck_assert_uint_eq((uintptr_t)cell_of(made)->data % 8, 0);
  expect_same_value(element(made, 0), &(TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = -1});
  expect_same_value(element(made, 1), &(TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1});
  expect_same_value(element(made, 2), &(TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = 0.5});
  expect_same_value(element(made, 3), &(TVMFFIAny){.type_index = kTVMFFINone});
  ck_assert_int_eq(element(made, 4)->v_int64, 7);
  TVMFFIObjectDecRef(made);
}

TEST(there_may_be_no_element, .rows = 2)
{
  TVMFFIObject *made = call_object(makers[_i], NO_ARGS);
  expect_counts(made, 1, 1);
  ck_assert_int_eq(cell_of(made)->size, 0);
  ck_assert_ptr_nonnull(cell_of(made)->data);
  ck_assert_int_eq(cell_of(made)->capacity, _i == 0 ? 0 : 4);
  TVMFFIObjectDecRef(made);
}

TEST(elements_of_an_array_are_part_of_it)
{
  TVMFFIObject *array = call_object("ffi.Array", ARGS(view_int(1), view_int(2)));
  ck_assert_ptr_eq(cell_of(array)->data, cell_of(array) + 1);
  ck_assert_int_eq(cell_of(array)->capacity, 2);
  ck_assert(cell_of(array)->data_deleter == NULL);
  TVMFFIObjectDecRef(array);
}

// Dirty bytes in views, and views of what is elsewhere.
TEST(elements_are_owned, .rows = 2)
{
  TVMFFIAny dirty = view_int(5), small = {.type_index = kTVMFFISmallStr, .small_str_len = 1};
  TVMFFIByteArray bytes = {"\0x", 2};
  char text[] = "longer than seven";
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  dirty.zero_padding = 9;
  memcpy(small.v_bytes, "abcdefg", 7);
  TVMFFIObject *made =
      call_object(makers[_i], ARGS(dirty, small, view_str("raw"), view_str(text),
                                   view_bytes(&bytes), view_object(&probe), view_object(&probe)));
  memset(text, 'x', sizeof text - 1);
  expect_counts(&probe, 3, 1);
  ck_assert_uint_eq(element(made, 0)->zero_padding, 0);
  ck_assert_mem_eq(element(made, 1)->v_bytes, "a\0\0\0\0\0\0\0", 8);
  expect_string(element(made, 2), "raw");
  expect_string(element(made, 3), "longer than seven");
  ck_assert_int_eq(element(made, 4)->type_index, kTVMFFISmallBytes);
  ck_assert_mem_eq(element(made, 4)->v_bytes, "\0x\0\0\0\0\0\0", 8);
  ck_assert_ptr_eq(element(made, 5)->v_obj, &probe);
  TVMFFIObjectDecRef(made);
  expect_counts(&probe, 1, 1);
  ck_assert_int_eq(probe.calls, 0);
}

TEST(rvalue_references_are_moved, .rows = 2)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObjectHandle slot = &probe;
  TVMFFIObject *made = call_object(makers[_i], ARGS(view_rvalue(&slot)));
  ck_assert_ptr_null(slot);
  expect_counts(&probe, 1, 1);
  ck_assert_int_eq(element(made, 0)->type_index, kTVMFFIOpaquePyObject);
  TVMFFIObjectDecRef(made);
  ck_assert_int_eq(probe.calls, 1);
}

TEST(what_cannot_be_made_keeps_nothing, .rows = 2)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObjectHandle moved = NULL;
  expect_refused(makers[_i],
                 ARGS(view_object(&probe), view_str("longer than seven"), view_rvalue(&moved),
                      view_object(&probe)),
                 "InternalError", "moved");
  expect_counts(&probe, 1, 1);
}

static const struct {
  TVMFFIAny view;
  const char *name;
} hollow[] = {
    {{.type_index = kTVMFFIRawStr}, "const char*"},
    {{.type_index = kTVMFFIByteArrayPtr}, "TVMFFIByteArray*"},
    {{.type_index = kTVMFFIByteArrayPtr, .v_ptr = &(TVMFFIByteArray){NULL, 1}}, "TVMFFIByteArray*"},
    {{.type_index = kTVMFFIObjectRValueRef}, "ObjectRValueRef"},
    {{.type_index = kTVMFFISmallStr, .small_str_len = 8}, "ffi.SmallStr"},
    {{.type_index = kTVMFFISmallBytes, .small_str_len = 9}, "ffi.SmallBytes"},
    {{.type_index = kTVMFFIArray}, "ffi.Array"},
    {{.type_index = INT32_MAX}, "2147483647"},
};

TEST(views_without_content_are_refused, .rows = ROWS(hollow))
{
  expect_refused("ffi.Array", ARGS(view_int(1), hollow[_i].view), "TypeError", hollow[_i].name);
  expect_refused("ffi.Array", ARGS(view_int(1), hollow[_i].view), "TypeError", "without content");
  expect_refused("ffi.Map", ARGS(hollow[_i].view, view_int(1)), "TypeError", "argument #0");
}

TEST(elements_are_read, .rows = 2)
{
  const char *get = _i == 0 ? "ffi.ArrayGetItem" : "ffi.ListGetItem";
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *made =
      call_object(makers[_i], ARGS(view_int(10), view_object(&probe), view_str("twelve thirteen")));
  TVMFFIAny sequence = view_object(made);
  ck_assert_int_eq(call_int(_i == 0 ? "ffi.ArraySize" : "ffi.ListSize", ARGS(sequence)), 3);
  ck_assert_int_eq(call_int(get, ARGS(sequence, view_int(0))), 10);
  ck_assert_ptr_eq(call_object(get, ARGS(sequence, view_bool(1))), &probe);
  expect_counts(&probe, 3, 1);
  expect_counts(made, 1, 1);
  TVMFFIObjectDecRef(&probe);
  TVMFFIAny text = call(get, ARGS(sequence, view_int(2)));
  TVMFFIObjectDecRef(made);
  expect_counts(&probe, 1, 1);
  expect_string(&text, "twelve thirteen");
  drop(text);
}

static const int64_t outside[] = {3, 4, -1, INT64_MAX, INT64_MIN, (int64_t)1 << 32};

TEST(an_index_outside_is_refused, .rows = ROWS(outside))
{
  TVMFFIObject *array = call_object("ffi.Array", ARGS(view_int(1), view_int(2), view_int(3)));
  TVMFFIObject *list = call_object("ffi.List", ARGS(view_int(1), view_int(2), view_int(3)));
  TVMFFIAny index = view_int(outside[_i]);
  expect_refused("ffi.ArrayGetItem", ARGS(view_object(array), index), "IndexError", "bounds 3");
  expect_refused("ffi.ListGetItem", ARGS(view_object(list), index), "IndexError", "bounds 3");
  expect_refused("ffi.ListSetItem", ARGS(view_object(list), index, view_none()), "IndexError", "3");
  expect_refused("ffi.ListPop", ARGS(view_object(list), index), "IndexError", "ffi.ListPop");
  expect_refused("ffi.ListErase", ARGS(view_object(list), index), "IndexError", "ffi.ListErase");
  if (outside[_i] != 3) {
    expect_refused("ffi.ListInsert", ARGS(view_object(list), index, index), "IndexError", "3");
  }
  ck_assert_int_eq(cell_of(list)->size, 3);
  TVMFFIObjectDecRef(array);
  TVMFFIObjectDecRef(list);
}

TEST(elements_are_searched_as_keys, .rows = 2)
{
  const char *contains = _i == 0 ? "ffi.ArrayContains" : "ffi.ListContains";
  Probe probe = probe_make(kTVMFFIOpaquePyObject), other = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *made = call_object(
      makers[_i], ARGS(view_int(1), view_str("longer than seven"), view_object(&probe)));
  TVMFFIAny sequence = view_object(made), dirty = view_int(1);
  dirty.zero_padding = 1;
  ck_assert(call_bool(contains, ARGS(sequence, view_int(1))));
  ck_assert(call_bool(contains, ARGS(sequence, dirty)));
  ck_assert(call_bool(contains, ARGS(sequence, view_str("longer than seven"))));
  ck_assert(call_bool(contains, ARGS(sequence, view_object(&probe))));
  ck_assert(!call_bool(contains, ARGS(sequence, view_object(&other))));
  ck_assert(!call_bool(contains, ARGS(sequence, view_bool(1))));
  ck_assert(!call_bool(contains, ARGS(sequence, view_float(1))));
  ck_assert(!call_bool(contains, ARGS(sequence, view_bytes(BYTES("longer than seven")))));
  ck_assert(!call_bool(contains, ARGS(sequence, view_none())));
  TVMFFIObjectDecRef(made);
}

TEST(an_rvalue_reference_is_spent_in_a_search)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObjectHandle slot = &probe;
  TVMFFIObject *array = call_object("ffi.Array", ARGS(view_object(&probe)));
  ck_assert(call_bool("ffi.ArrayContains", ARGS(view_object(array), view_rvalue(&slot))));
  ck_assert_ptr_null(slot);
  expect_counts(&probe, 1, 1);
  TVMFFIObjectDecRef(array);
  ck_assert_int_eq(probe.calls, 1);
}

TEST(want_of_memory_is_reported, .rows = 2)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  drop(call_with_faults(makers[_i], ARGS(view_object(&probe), view_str("longer than seven"),
                                         view_bytes(BYTES("longer than seven")))));
  expect_counts(&probe, 1, 1);
}

TEST(a_shape_holds_integers)
{
  TVMFFIObject *shape =
      call_object("ffi.Shape", ARGS(view_int(2), view_int(-3), view_int(INT64_MAX), view_bool(1)));
  const TVMFFIShapeCell *cell = (const TVMFFIShapeCell *)(shape + 1);
  expect_counts(shape, 1, 1);
  ck_assert_int_eq(shape->type_index, kTVMFFIShape);
  ck_assert_uint_eq(cell->size, 4);
  ck_assert_mem_eq(cell->data, ((int64_t[]){2, -3, INT64_MAX, 1}), 32);
  TVMFFIObjectDecRef(shape);
  shape = call_object("ffi.Shape", NO_ARGS);
  cell = (const TVMFFIShapeCell *)(shape + 1);
  ck_assert_uint_eq(cell->size, 0);
  ck_assert_ptr_nonnull(cell->data);
  TVMFFIObjectDecRef(shape);
  drop(call_with_faults("ffi.Shape", ARGS(view_int(1))));
}

TEST(a_shape_holds_nothing_else)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObjectHandle slot = &probe;
  expect_refused("ffi.Shape", ARGS(view_int(1), view_float(1)), "ValueError", "#1");
  expect_refused("ffi.Shape", ARGS(view_str("1")), "ValueError", "#0");
  expect_refused("ffi.Shape", ARGS(view_none()), "ValueError", "#0");
  expect_refused("ffi.Shape", ARGS(view_object(&probe)), "ValueError", "#0");
  expect_refused("ffi.Shape", ARGS(view_rvalue(&slot)), "ValueError", "#0");
  ck_assert_ptr_eq(slot, &probe);
}
