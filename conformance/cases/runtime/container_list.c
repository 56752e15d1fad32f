// SPDX-License-Identifier: Apache-2.0
// Lists: adding, replacing, taking out, and the memory of the elements.
#include "cases/runtime/container_calling.h"

CHAPTER(container);

// Own: a list of 0, 10, 20, ..., of at most 8 elements.
static TVMFFIObjectHandle new_tens(Iut *iut, size_t count)
{
  TVMFFIAny args[8];
  for (size_t i = 0; i < count; ++i) args[i] = view_of_int(10 * (int64_t)i);
  return object_of(iut, "ffi.List", args, count);
}

// Integers to be expected: their number, and where they stand.
#define INTEGERS(...)                                                        \
  (int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]) \
  {                                                                          \
    __VA_ARGS__                                                              \
  }

// --- In a row ------------------------------------------------------------------------------------

static bool expect_room(Iut *iut, TVMFFIObjectHandle list)
{
  TVMFFISeqCell *cell = sequence_cell(iut, list);
  return expect_that(cell->capacity >= cell->size, "a capacity not less than the size",
                     "capacity %" PRId64 ", size %" PRId64, cell->capacity, cell->size);
}

CASE(list_holds_its_elements_in_a_row, .clauses = {CON_21, CON_24},
     .title =
         "at each of 300 steps of a growing list its cell says size and room, and leads to all "
         "elements")
{
  TVMFFIObjectHandle list = new_tens(iut, 0);
  TVMFFIAny view = view_of_object(iut, list);
  int64_t expected[300];
  for (int i = 0; i < 300; ++i) {
    note("element %d", i);
    expected[i] = 7 * i;
    value_of(iut, "ffi.ListAppend", VALUES(view, view_of_int(7 * i)));
    require(expect_room(iut, list));
    require(expect_int("size of the list", sequence_cell(iut, list)->size, i + 1));
    expect_same_bytes(&sequence_elements(iut, list)[i],
                      &(TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 7 * i});
  }
  expect_integers(iut, list, 300, expected);
  release_object(iut, list);
}

CASE(list_is_changed_in_place, .clauses = {CON_23},
     .title = "a list that is changed in every way keeps its counts, and the change is seen by all")
{
  TVMFFIObjectHandle list = new_tens(iut, 3);
  TVMFFIAny view = view_of_object(iut, list);
  iut->ObjectIncRef(list);
  object_take_weak(iut, list);
  for (int i = 0; i < 20; ++i) value_of(iut, "ffi.ListAppend", VALUES(view, view_of_int(i)));
  value_of(iut, "ffi.ListInsert", VALUES(view, view_of_int(0), view_of_int(5)));
  value_of(iut, "ffi.ListReplaceSlice", VALUES(view, view_of_int(1), view_of_int(2), view));
  value_of(iut, "ffi.ListReverse", VALUES(view));
  require(expect_int("size of the list", sequence_cell(iut, list)->size, 47));
  expect_same_bytes(&sequence_elements(iut, list)[46], &(TVMFFIAny[]){view_of_int(5)}[0]);
  expect_counts(iut, list, .strong = 2, .weak = 2);
  value_of(iut, "ffi.ListEraseRange", VALUES(view, view_of_int(3), view_of_int(47)));
  value_of(iut, "ffi.ListErase", VALUES(view, view_of_int(0)));
  expect_int("size of the list", sequence_cell(iut, list)->size, 2);
  value_of(iut, "ffi.ListClear", VALUES(view));
  expect_int("size of the list", sequence_cell(iut, list)->size, 0);
  expect_counts(iut, list, .strong = 2, .weak = 2);
  release_object(iut, list);
  release_object(iut, list);
  object_release_weak(iut, list);
}

// --- Adding, reading, replacing ------------------------------------------------------------------

CASE(elements_are_added_anywhere, .clauses = {CON_24},
     .title = "appending adds after the last, and inserting before an index or after the last")
{
  TVMFFIObjectHandle list = new_tens(iut, 0);
  TVMFFIAny view = view_of_object(iut, list);
  value_of(iut, "ffi.ListInsert", VALUES(view, view_of_int(0), view_of_int(1)));
  expect_integers(iut, list, INTEGERS(1));
  value_of(iut, "ffi.ListInsert", VALUES(view, view_of_int(1), view_of_int(2)));
  expect_integers(iut, list, INTEGERS(1, 2));
  value_of(iut, "ffi.ListInsert", VALUES(view, view_of_int(0), view_of_int(3)));
  value_of(iut, "ffi.ListInsert", VALUES(view, view_of_int(1), view_of_int(4)));
  expect_integers(iut, list, INTEGERS(3, 4, 1, 2));
  value_of(iut, "ffi.ListAppend", VALUES(view, view_of_int(5)));
  value_of(iut, "ffi.ListInsert", VALUES(view, view_of_int(2), view_of_int(6)));
  expect_integers(iut, list, INTEGERS(3, 4, 6, 1, 2, 5));
  release_object(iut, list);
}

CASE(list_grows_by_itself, .clauses = {CON_24, CON_6},
     .title = "an element of a full list can be added to it again")
{
  TVMFFIObjectHandle probe = new_probe_object(iut), list = new_tens(iut, 0);
  TVMFFIAny view = view_of_object(iut, list);
  value_of(iut, "ffi.ListAppend", VALUES(view, view_of_object(iut, probe)));
  for (int i = 0; i < 40; ++i)
    value_of(iut, "ffi.ListInsert", VALUES(view, view_of_int(0), sequence_elements(iut, list)[0]));
  expect_int("size of the list", sequence_cell(iut, list)->size, 41);
  expect_counts(iut, probe, .strong = 42, .weak = 1);
  release_object(iut, list);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
}

CASE(elements_are_read_and_replaced, .clauses = {CON_25},
     .title =
         "size, element and search say what is in the list, and setting an element releases "
         "the one before it")
{
  TVMFFIObjectHandle probe = new_probe_object(iut), list = new_tens(iut, 3);
  TVMFFIAny view = view_of_object(iut, list), value = view_of_object(iut, probe);
  expect_gives(iut, view_of_int(3), "ffi.ListSize", VALUES(view));
  for (int64_t i = 0; i < 3; ++i)
    expect_gives(iut, view_of_int(10 * i), "ffi.ListGetItem", VALUES(view, view_of_int(i)));
  value_of(iut, "ffi.ListSetItem", VALUES(view, view_of_int(1), value));
  expect_counts(iut, probe, .strong = 2, .weak = 1);
  expect_gives(iut, view_of_bool(true), "ffi.ListContains", VALUES(view, value));
  expect_gives(iut, view_of_bool(false), "ffi.ListContains", VALUES(view, view_of_int(10)));
  value_of(iut, "ffi.ListSetItem", VALUES(view, view_of_int(1), value));
  expect_counts(iut, probe, .strong = 2, .weak = 1);
  value_of(iut, "ffi.ListSetItem", VALUES(view, view_of_int(1), view_of_int(5)));
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  expect_integers(iut, list, INTEGERS(0, 5, 20));
  release_object(iut, list);
}

// --- Taking out ----------------------------------------------------------------------------------

CASE(popped_element_goes_to_the_caller, .clauses = {CON_26},
     .title = "ffi.ListPop gives the element of an index with the list's reference")
{
  TVMFFIObjectHandle probe = new_probe_object(iut), list = new_tens(iut, 3);
  TVMFFIAny view = view_of_object(iut, list), object = view_of_object(iut, probe);
  value_of(iut, "ffi.ListInsert", VALUES(view, view_of_int(1), object));
  TVMFFIAny popped = value_of(iut, "ffi.ListPop", VALUES(view, view_of_int(1)));
  expect_same_bytes(&popped, &object);
  expect_counts(iut, probe, .strong = 2, .weak = 1);
  expect_gives(iut, view_of_int(0), "ffi.ListPop", VALUES(view, view_of_int(0)));
  expect_gives(iut, view_of_int(20), "ffi.ListPop", VALUES(view, view_of_int(1)));
  expect_integers(iut, list, INTEGERS(10));
  release_object(iut, list);
  release_object(iut, probe);
  release_any(iut, &popped);
  expect_deleter_calls(probe, "3");
}

static const struct {
  const char *name;
  const char *function;
  int64_t first, second;  // indices; -1: none
  uint64_t released;
  int64_t count, left[8];
} removals[] = {
    {"erase-first", "ffi.ListErase", 0, -1, 0, 7, {1, 2, 3, 4, 5, 6, 7}},
    {"erase-inner", "ffi.ListErase", 3, -1, 1, 7, {0, 1, 2, 4, 5, 6, 7}},
    {"erase-last", "ffi.ListErase", 7, -1, 1, 7, {0, 1, 2, 3, 4, 5, 6}},
    {"range-first", "ffi.ListEraseRange", 0, 3, 1, 5, {3, 4, 5, 6, 7}},
    {"range-inner", "ffi.ListEraseRange", 1, 6, 3, 3, {0, 6, 7}},
    {"range-last", "ffi.ListEraseRange", 6, 8, 1, 6, {0, 1, 2, 3, 4, 5}},
    {"range-of-none", "ffi.ListEraseRange", 4, 4, 0, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"range-behind-the-last", "ffi.ListEraseRange", 8, 8, 0, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"range-of-all", "ffi.ListEraseRange", 0, 8, 4, 0, {0}},
    {"clear", "ffi.ListClear", -1, -1, 4, 0, {0}},
};

CASE_ROWS(elements_are_erased, removals, .clauses = {CON_26},
          .title = "what is erased is released, and the others stay in order")
{
  TVMFFIAny args[8];
  TVMFFIObjectHandle probe = new_probe_object(iut);
  for (int i = 0; i < 8; ++i) args[i] = i % 2 ? view_of_object(iut, probe) : view_of_int(i);
  TVMFFIObjectHandle list = object_of(iut, "ffi.List", args, 8);
  TVMFFIAny call[3] = {view_of_object(iut, list), view_of_int(row->first),
                       view_of_int(row->second)};
  value_of(iut, row->function, call, 1 + (row->first >= 0) + (row->second >= 0));
  expect_counts(iut, probe, .strong = 5 - row->released, .weak = 1);
  require(expect_int("size of the list", sequence_cell(iut, list)->size, row->count));
  for (int64_t i = 0; i < row->count; ++i)
    expect_same_bytes(&sequence_elements(iut, list)[i], &args[row->left[i]]);
  note("added behind what is left");
  value_of(iut, "ffi.ListAppend", VALUES(call[0], args[1]));
  require(expect_int("size of the list", sequence_cell(iut, list)->size, row->count + 1));
  expect_same_bytes(&sequence_elements(iut, list)[row->count], &args[1]);
  release_object(iut, list);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
}

// --- Turning and replacing -----------------------------------------------------------------------

CASE(list_is_reversed, .clauses = {CON_27},
     .title = "reversing puts an even, an odd and an empty number of elements into opposite order")
{
  TVMFFIObjectHandle even = new_tens(iut, 4), odd = new_tens(iut, 5), empty = new_tens(iut, 0);
  value_of(iut, "ffi.ListReverse", VALUES(view_of_object(iut, even)));
  expect_integers(iut, even, INTEGERS(30, 20, 10, 0));
  value_of(iut, "ffi.ListReverse", VALUES(view_of_object(iut, odd)));
  expect_integers(iut, odd, INTEGERS(40, 30, 20, 10, 0));
  value_of(iut, "ffi.ListReverse", VALUES(view_of_object(iut, empty)));
  expect_int("size of the empty list", sequence_cell(iut, empty)->size, 0);
  release_object(iut, even);
  release_object(iut, odd);
  release_object(iut, empty);
}

typedef struct Slice {
  const char *name;
  int64_t first, second;
  int others;  // elements of the other list: -1, -2, ...; less than 0: the list itself
  int64_t count, expected[8];
} Slice;

static const Slice slices[] = {
    {"by-longer", 1, 2, 3, 6, {0, -1, -2, -3, 20, 30}},
    {"by-shorter", 0, 3, 1, 2, {-1, 30}},
    {"by-as-many", 1, 3, 2, 4, {0, -1, -2, 30}},
    {"by-none", 1, 3, 0, 2, {0, 30}},
    {"nothing-at-the-front", 0, 0, 2, 6, {-1, -2, 0, 10, 20, 30}},
    {"nothing-at-the-end", 4, 4, 2, 6, {0, 10, 20, 30, -1, -2}},
    {"all", 0, 4, 2, 2, {-1, -2}},
};

static const Slice own_slices[] = {
    {"by-itself", 1, 3, -1, 6, {0, 0, 10, 20, 30, 30}},
    {"nothing-by-itself", 2, 2, -1, 8, {0, 10, 0, 10, 20, 30, 20, 30}},
    {"all-by-itself", 0, 4, -1, 4, {0, 10, 20, 30}},
};

static void expect_slice_replaced(Iut *iut, const Slice *row)
{
  TVMFFIObjectHandle list = new_tens(iut, 4);
  TVMFFIAny args[3] = {view_of_int(-1), view_of_int(-2), view_of_int(-3)},
            view = view_of_object(iut, list);
  bool itself = row->others < 0;
  TVMFFIObjectHandle other = itself ? list : object_of(iut, "ffi.List", args, (size_t)row->others);
  value_of(
      iut, "ffi.ListReplaceSlice",
      VALUES(view, view_of_int(row->first), view_of_int(row->second), view_of_object(iut, other)));
  expect_integers(iut, list, row->count, row->expected);
  if (!itself) {
    expect_int("size of the other list", sequence_cell(iut, other)->size, row->others);
    release_object(iut, other);
  }
  release_object(iut, list);
}

CASE_ROWS(slice_is_replaced, slices, .clauses = {CON_28},
          .title = "a part of a list is replaced by the elements of another list")
{
  expect_slice_replaced(iut, row);
}

CASE_ROWS(slice_is_replaced_by_the_list, own_slices, .clauses = {CON_84}, .wrong_call = true,
          .title = "a part of a list is replaced by the elements of the list itself")
{
  expect_slice_replaced(iut, row);
}

CASE(slice_is_released_and_retained, .clauses = {CON_28, CON_26},
     .title = "replaced elements are released, and those of the other list gain a reference")
{
  TVMFFIObjectHandle old = new_probe_object(iut), new = new_probe_object(iut);
  TVMFFIAny before = view_of_object(iut, old), after = view_of_object(iut, new);
  TVMFFIObjectHandle list = object_of(iut, "ffi.List", VALUES(before, before, before));
  TVMFFIObjectHandle other = object_of(iut, "ffi.List", VALUES(after, after, after, after, after));
  value_of(iut, "ffi.ListReplaceSlice",
           VALUES(view_of_object(iut, list), view_of_int(1), view_of_int(3),
                  view_of_object(iut, other)));
  expect_counts(iut, old, .strong = 2, .weak = 1);
  expect_counts(iut, new, .strong = 11, .weak = 1);
  release_object(iut, list);
  release_object(iut, other);
  expect_counts(iut, old, .strong = 1, .weak = 1);
  expect_counts(iut, new, .strong = 1, .weak = 1);
}

// --- Refused -------------------------------------------------------------------------------------

static const struct {
  const char *name;
  const char *function;
  int indices, arguments;  // arguments after the list
  int64_t first, second;   // of a list of 3
  int64_t good;            // a first index that is none too large
} refusals[] = {
    {"get-size", "ffi.ListGetItem", 1, 1, 3, 0, 2},
    {"get-negative", "ffi.ListGetItem", 1, 1, -1, 0, 0},
    {"get-two-to-the-32", "ffi.ListGetItem", 1, 1, INT64_C(1) << 32, 0, 0},
    {"set-size", "ffi.ListSetItem", 1, 2, 3, 0, 2},
    {"set-negative", "ffi.ListSetItem", 1, 2, -1, 0, 0},
    {"pop-size", "ffi.ListPop", 1, 1, 3, 0, 2},
    {"pop-negative", "ffi.ListPop", 1, 1, -1, 0, 0},
    {"erase-size", "ffi.ListErase", 1, 1, 3, 0, 2},
    {"erase-negative", "ffi.ListErase", 1, 1, -3, 0, 0},
    {"insert-behind-the-end", "ffi.ListInsert", 1, 2, 4, 0, 3},
    {"insert-negative", "ffi.ListInsert", 1, 2, -1, 0, 0},
    {"range-second-too-large", "ffi.ListEraseRange", 2, 2, 1, 4, 1},
    {"range-behind-the-end", "ffi.ListEraseRange", 2, 2, 4, 5, 3},
    {"range-negative", "ffi.ListEraseRange", 2, 2, -1, 2, 0},
    {"range-reversed", "ffi.ListEraseRange", 2, 2, 2, 1, 1},
    {"slice-second-too-large", "ffi.ListReplaceSlice", 2, 3, 1, 4, 1},
    {"slice-of-none-behind-the-end", "ffi.ListReplaceSlice", 2, 3, 4, 4, 3},
    {"slice-negative", "ffi.ListReplaceSlice", 2, 3, -2, 2, 0},
    {"slice-reversed", "ffi.ListReplaceSlice", 2, 3, 3, 0, 0},
};

// tvm-ffi#375: an index outside was read.
CASE_ROWS(index_outside_the_list_is_refused, refusals, .clauses = {CON_29}, .wrong_call = true,
          .title = "an index or range outside a list is an IndexError and leaves the list alone")
{
  TVMFFIObjectHandle list = new_tens(iut, 3), other = new_tens(iut, 1);
  TVMFFIAny args[4] = {view_of_object(iut, list), view_of_int(row->first), view_of_int(row->second),
                       view_of_object(iut, other)};
  size_t count = 1 + (size_t)row->arguments;
  expect_refused(iut, "IndexError", row->function, args, count);
  require(expect_integers(iut, list, INTEGERS(0, 10, 20)));
  note("the same call with a good index");
  args[1] = view_of_int(row->good);
  if (row->indices == 2) args[2] = view_of_int(3);
  TVMFFIAny result = value_of(iut, row->function, args, count);
  release_any(iut, &result);
  release_object(iut, list);
  release_object(iut, other);
}

CASE(list_stays_as_it_was_when_refused, .clauses = {CON_29}, .wrong_call = true,
     .title = "an object that a list refuses is not retained")
{
  TVMFFIObjectHandle probe = new_probe_object(iut), list = new_tens(iut, 3);
  TVMFFIAny view = view_of_object(iut, list), object = view_of_object(iut, probe);
  expect_refused(iut, "IndexError", "ffi.ListSetItem", VALUES(view, view_of_int(3), object));
  expect_refused(iut, "IndexError", "ffi.ListInsert", VALUES(view, view_of_int(4), object));
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  value_of(iut, "ffi.ListInsert", VALUES(view, view_of_int(3), object));
  expect_counts(iut, probe, .strong = 2, .weak = 1);
  release_object(iut, list);
}

// --- No result -----------------------------------------------------------------------------------

static const struct {
  const char *name;
  const char *maker;
  struct {
    const char *function;
    size_t arguments;
  } changes[9];
} silent[] = {
    {"list",
     "ffi.List",
     {{"ffi.ListAppend", 2},
      {"ffi.ListInsert", 3},
      {"ffi.ListSetItem", 3},
      {"ffi.ListReverse", 1},
      {"ffi.ListErase", 2},
      {"ffi.ListReplaceSlice", 4},
      {"ffi.ListEraseRange", 3},
      {"ffi.ListClear", 1}}},
    {"dict", "ffi.Dict", {{"ffi.DictSetItem", 3}, {"ffi.DictErase", 2}, {"ffi.DictClear", 1}}},
};

CASE_ROWS(change_gives_no_result, silent, .clauses = {CON_30},
          .title = "a function that changes a list or a dict leaves a None result as None")
{
  TVMFFIObjectHandle container = object_of(iut, row->maker, VALUES(view_of_int(1), view_of_int(2)));
  TVMFFIAny view = view_of_object(iut, container),
            args[4] = {view, view_of_int(0), view_of_int(1), view};
  for (int i = 0; row->changes[i].function; ++i) {
    note("%s", row->changes[i].function);
    TVMFFIAny result = any_none();
    require(expect_ok(iut, call_registered(iut, &result, row->changes[i].function, args,
                                           row->changes[i].arguments)));
    expect_type_index(&result, kTVMFFINone);
  }
  expect_counts(iut, container, .strong = 1, .weak = 1);
  release_object(iut, container);
}

static const struct {
  const char *name;
  size_t elements;
  int64_t asked;
} rooms[] = {{"empty", 0, 5}, {"few", 3, 100}, {"many", 8, 5000}, {"enough", 8, 3}, {"none", 3, 0}};

CASE_ROWS(list_is_given_room, rooms, .clauses = {CON_87},
          .title = "a list has room for as many elements as asked for, and keeps those that it has")
{
  TVMFFIObjectHandle probe = new_probe_object(iut), list = new_tens(iut, row->elements);
  TVMFFIAny view = view_of_object(iut, list);
  int64_t size = (int64_t)row->elements;
  value_of(iut, "ffi.ListAppend", VALUES(view, view_of_object(iut, probe)));
  int64_t before = sequence_cell(iut, list)->capacity;
  value_of(iut, "ffi.ListReserve", VALUES(view, view_of_int(row->asked)));
  int64_t after = sequence_cell(iut, list)->capacity;
  expect_that(after >= row->asked, "room for what was asked for", "room for %" PRId64, after);
  if (before >= row->asked) expect_int("capacity", after, before);
  require(expect_int("number of elements", sequence_cell(iut, list)->size, size + 1));
  for (int64_t i = 0; i < size; ++i)
    if (!expect_int("an element", sequence_elements(iut, list)[i].v_int64, 10 * i)) break;
  expect_pointer("the last element", sequence_elements(iut, list)[size].v_obj, probe);
  expect_counts(iut, list, .strong = 1, .weak = 1);
  expect_counts(iut, probe, .strong = 2, .weak = 1);
  release_object(iut, list);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  release_object(iut, probe);
}
