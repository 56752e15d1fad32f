// SPDX-License-Identifier: Apache-2.0
// Shapes and arrays.
#include "cases/runtime/container_calling.h"

CHAPTER(container);

// --- Shapes --------------------------------------------------------------------------------------

enum { LONGEST = 1000 };

static const struct {
  const char *name;
  int64_t count;
} lengths[] = {{"empty", 0}, {"one", 1}, {"five", 5}, {"thousand", LONGEST}};

static int64_t dimension(int64_t i)
{
  static const int64_t odd[] = {0, -1, INT64_MIN, INT64_MAX, INT64_C(1) << 32};
  return i < 5 ? odd[i] : i * 3;
}

CASE_ROWS(shape_holds_its_integers, lengths, .clauses = {CON_14},
          .title = "the cell of a shape leads to its integers, in order, and to their number")
{
  TVMFFIAny args[LONGEST];
  for (int64_t i = 0; i < row->count; ++i) args[i] = view_of_int(dimension(i));
  size_t count = (size_t)row->count;
  TVMFFIObjectHandle shape = object_of(iut, "ffi.Shape", fenced_args(args, count), count);
  TVMFFIShapeCell *cell = object_body(iut, shape);
  require(expect_int("size of the shape", (int64_t)cell->size, row->count));
  for (int64_t i = 0; i < row->count; ++i)
    if (!expect_int("an integer of the shape", cell->data[i], dimension(i))) break;
  release_object(iut, shape);
}

CASE(shape_takes_bools, .clauses = {CON_83}, .title = "a bool in a shape counts as 0 or 1")
{
  TVMFFIObjectHandle shape =
      object_of(iut, "ffi.Shape", VALUES(view_of_bool(true), view_of_int(7), view_of_bool(false)));
  TVMFFIShapeCell *cell = object_body(iut, shape);
  const int64_t expected[] = {1, 7, 0};
  expect_memory("the integers", cell->data, cell->size * 8, expected, sizeof expected);
  release_object(iut, shape);
}

CASE(shape_holds_nothing_else, .clauses = {CON_15}, .wrong_call = true,
     .title = "a float, a string or None anywhere in a shape raises a ValueError")
{
  TVMFFIAny four = view_of_int(4), text = new_text(iut, kTVMFFIStr, "12345678");
  const TVMFFIAny others[] = {any_none(), view_of_float(4), view_of_small_string("4"),
                              view_of_raw_string("4"), text};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    note("a value of type index %d", others[i].type_index);
    expect_refused(iut, "ValueError", "ffi.Shape", VALUES(others[i]));
    expect_refused(iut, "ValueError", "ffi.Shape", VALUES(four, four, others[i]));
    TVMFFIObjectHandle shape = object_of(iut, "ffi.Shape", VALUES(four, four, four));
    release_object(iut, shape);
  }
  release_any(iut, &text);
}

// --- Arrays --------------------------------------------------------------------------------------

// Own: an array of 0, 10, 20, ...
static TVMFFIObjectHandle new_tens(Iut *iut, int64_t count)
{
  TVMFFIAny args[LONGEST];
  for (int64_t i = 0; i < count; ++i) args[i] = view_of_int(10 * i);
  return object_of(iut, "ffi.Array", args, (size_t)count);
}

CASE_ROWS(array_holds_its_elements_in_a_row, lengths, .clauses = {CON_16},
          .title =
              "the cell of an array points to its elements in order and holds their number and a "
              "capacity that is not smaller")
{
  TVMFFIObjectHandle array = new_tens(iut, row->count);
  TVMFFISeqCell *cell = sequence_cell(iut, array);
  require(expect_int("size of the array", cell->size, row->count));
  expect_that(cell->capacity >= cell->size, "a capacity not less than the size",
              "capacity %" PRId64 ", size %" PRId64, cell->capacity, cell->size);
  for (int64_t i = 0; i < row->count; ++i) {
    TVMFFIAny expected = view_of_int(10 * i);
    if (!expect_same_bytes(&sequence_elements(iut, array)[i], &expected)) break;
  }
  release_object(iut, array);
}

CASE_ROWS(array_is_read_by_index, lengths, .clauses = {CON_17},
          .title = "the size and each element of an array are what it was made of")
{
  TVMFFIObjectHandle array = new_tens(iut, row->count);
  TVMFFIAny view = view_of_object(iut, array);
  expect_gives(iut, view_of_int(row->count), "ffi.ArraySize", VALUES(view));
  int64_t step = row->count > 100 ? 111 : 1;
  for (int64_t i = 0; i < row->count; i += step)
    expect_gives(iut, view_of_int(10 * i), "ffi.ArrayGetItem", VALUES(view, view_of_int(i)));
  release_object(iut, array);
}

static const struct {
  const char *name;
  int64_t size, index;
} outside[] = {
    {"of-an-empty-array", 0, 0},
    {"size", 3, 3},
    {"two-to-the-32", 3, INT64_C(1) << 32},
    {"two-to-the-60", 3, INT64_C(1) << 60},
    {"largest", 3, INT64_MAX},
};

CASE_ROWS(index_behind_the_end_is_refused, outside, .clauses = {CON_18}, .wrong_call = true,
          .title = "an index that is not less than the size raises an IndexError")
{
  TVMFFIObjectHandle array = new_tens(iut, row->size);
  TVMFFIAny view = view_of_object(iut, array);
  if (row->size)
    expect_gives(iut, view_of_int(20), "ffi.ArrayGetItem", VALUES(view, view_of_int(2)));
  expect_refused(iut, "IndexError", "ffi.ArrayGetItem", VALUES(view, view_of_int(row->index)));
  release_object(iut, array);
}

static const struct {
  const char *name;
  int64_t index;
} negative[] = {{"minus-one", -1},
                {"minus-size", -3},
                {"upper-half", -(INT64_C(1) << 32)},
                {"smallest", INT64_MIN}};

CASE_ROWS(negative_index_is_refused, negative, .clauses = {CON_19}, .wrong_call = true,
          .title = "a negative index raises an IndexError and does not count from the end")
{
  TVMFFIObjectHandle array = new_tens(iut, 3);
  TVMFFIAny view = view_of_object(iut, array);
  expect_gives(iut, view_of_int(0), "ffi.ArrayGetItem", VALUES(view, view_of_int(0)));
  expect_refused(iut, "IndexError", "ffi.ArrayGetItem", VALUES(view, view_of_int(row->index)));
  release_object(iut, array);
}
