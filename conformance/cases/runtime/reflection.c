// SPDX-License-Identifier: Apache-2.0
// Values compared, hashed, copied, walked and rewritten with all that is in them.
#include "cases/runtime/json_text.h"

CHAPTER(reflection);

static const char equal[] = "ffi.RecursiveEq", structural[] = "ffi.StructuralEqual";
static const char mismatch[] = "ffi.GetFirstStructuralMismatch", walk[] = "ffi.StructuralWalk";
static const char map_name[] = "ffi.StructuralMap";

// --- By content ----------------------------------------------------------------------------------

typedef struct {
  const char *name, *one, *other;
  bool equal;
} PairRow;

static const PairRow pairs[] = {
    {"ints", "5", "5", true},
    {"other-ints", "5", "6", false},
    {"strings", "\"a string that lies elsewhere\"", "\"a string that lies elsewhere\"", true},
    {"other-strings", "\"a string that lies elsewhere\"", "\"a string that lies somewhere\"",
     false},
    {"arrays", "[1,[\"a\",2]]", "[1,[\"a\",2]]", true},
    {"other-element", "[1,[\"a\",2]]", "[1,[\"a\",3]]", false},
    {"element-missing", "[1,2]", "[1]", false},
    {"maps", "{\"a\":1,\"b\":[2]}", "{\"b\":[2],\"a\":1}", true},
    {"other-value", "{\"a\":1,\"b\":[2]}", "{\"a\":1,\"b\":[3]}", false},
    {"other-key", "{\"a\":1}", "{\"b\":1}", false},
};

CASE_ROWS(content_is_compared, pairs, .clauses = {REFL_1, REFL_2},
          .title = "values are equal if their contents are, and have equal hashes then")
{
  TVMFFIAny one = json_value(iut, row->one), other = json_value(iut, row->other);
  expect_gives(iut, view_of_bool(row->equal), equal, VALUES(one, other));
  expect_gives(iut, view_of_bool(row->equal), equal, VALUES(other, one));
  if (row->equal) {
    TVMFFIAny hash = value_of(iut, "ffi.RecursiveHash", VALUES(one));
    expect_gives(iut, hash, "ffi.RecursiveHash", VALUES(other));
  }
  release_any(iut, &one);
  release_any(iut, &other);
}

static const struct {
  const char *name, *one, *other;
  int order;
} ordered[] = {
    {"ints", "1", "2", -1},
    {"equal-arrays", "[1,2]", "[1,2]", 0},
    {"first-differs", "[1,9]", "[2,0]", -1},
    {"last-differs", "[3,5]", "[3,4]", 1},
    {"beginning", "[1,2]", "[1,2,0]", -1},
};

CASE_ROWS(arrays_are_ordered, ordered, .clauses = {REFL_3},
          .title = "ints and Arrays of ints are ordered by their first difference")
{
  TVMFFIAny one = json_value(iut, row->one), other = json_value(iut, row->other);
  expect_gives(iut, view_of_bool(row->order < 0), "ffi.RecursiveLt", VALUES(one, other));
  expect_gives(iut, view_of_bool(row->order <= 0), "ffi.RecursiveLe", VALUES(one, other));
  expect_gives(iut, view_of_bool(row->order > 0), "ffi.RecursiveGt", VALUES(one, other));
  expect_gives(iut, view_of_bool(row->order >= 0), "ffi.RecursiveGe", VALUES(one, other));
  release_any(iut, &one);
  release_any(iut, &other);
}

CASE(deep_copy_is_another, .clauses = {REFL_4, REFL_5},
     .title = "a copy has a List of its own, which stands twice where it stood twice")
{
  TVMFFIAny list = value_of(iut, "ffi.List", VALUES(view_of_int(1)));
  TVMFFIAny value = value_of(iut, "ffi.Array", VALUES(list, list));
  TVMFFIAny copy = value_of(iut, "ffi.DeepCopy", VALUES(value));
  require(expect_int("type index of the copy", copy.type_index, kTVMFFIArray));
  require(expect_int("its elements", sequence_cell(iut, copy.v_obj)->size, 2));
  const TVMFFIAny *elements = sequence_elements(iut, copy.v_obj);
  require(expect_int("type index of an element", elements[0].type_index, kTVMFFIList));
  expect_that(elements[0].v_obj == elements[1].v_obj, "one list", "two");
  value_of(iut, "ffi.ListAppend", VALUES(list, view_of_int(2)));
  expect_gives(iut, view_of_int(1), "ffi.ListSize", VALUES(elements[0]));
  expect_gives(iut, view_of_int(1), "ffi.ListGetItem", VALUES(elements[0], view_of_int(0)));
  release_any(iut, &copy);
  release_any(iut, &value);
  release_any(iut, &list);
}

// --- By structure --------------------------------------------------------------------------------

CASE_ROWS(structure_is_compared, pairs, .clauses = {REFL_6},
          .title = "values are structurally equal if their contents are")
{
  TVMFFIAny one = json_value(iut, row->one), other = json_value(iut, row->other);
  TVMFFIAny no = view_of_bool(false);
  expect_gives(iut, view_of_bool(row->equal), structural, VALUES(one, other, no, no));
  release_any(iut, &one);
  release_any(iut, &other);
}

static void expect_paths(Iut *iut, TVMFFIAny one, TVMFFIAny other)
{
  TVMFFIAny no = view_of_bool(false), paths = value_of(iut, mismatch, VALUES(one, other, no, no));
  TVMFFIByteArray key = bytes_of("ffi.reflection.AccessPath");
  int32_t path = -1;
  require(expect_ok(iut, iut->TypeKeyToIndex(&key, &path)));
  require(expect_int("type index of the mismatch", paths.type_index, kTVMFFIArray));
  require(expect_int("its elements", sequence_cell(iut, paths.v_obj)->size, 2));
  for (int i = 0; i < 2; ++i) {
    expect_int("type index of a path", sequence_elements(iut, paths.v_obj)[i].type_index, path);
  }
  release_any(iut, &paths);
}

CASE_ROWS(structure_is_hashed, pairs, .clauses = {REFL_7, REFL_8},
          .title = "structurally equal values have equal hashes and no mismatch, others have one")
{
  TVMFFIAny one = json_value(iut, row->one), other = json_value(iut, row->other);
  TVMFFIAny no = view_of_bool(false);
  if (row->equal) {
    TVMFFIAny hash = value_of(iut, "ffi.StructuralHash", VALUES(one, no, no));
    expect_gives(iut, hash, "ffi.StructuralHash", VALUES(other, no, no));
    expect_gives(iut, any_none(), mismatch, VALUES(one, other, no, no));
  } else {
    expect_paths(iut, one, other);
  }
  release_any(iut, &one);
  release_any(iut, &other);
}

static TVMFFIAny new_variable(Iut *iut, int32_t type_index)
{
  return view_of_object(iut, new_probe_object_of(iut, type_index));
}

CASE(variables_stand_for_each_other, .clauses = {REFL_9},
     .title = "variables are equal where they may stand for each other, and do so everywhere")
{
  TVMFFIByteArray key = bytes_of("conform.Variable");
  int32_t type_index = iut->TypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  TVMFFITypeMetadata metadata = {.total_size = 64,
                                 .structural_eq_hash_kind = kTVMFFISEqHashKindFreeVar};
  require(expect_ok(iut, iut->TypeRegisterMetadata(type_index, &metadata)));
  TVMFFIAny x = new_variable(iut, type_index), y = new_variable(iut, type_index);
  TVMFFIAny yes = view_of_bool(true), no = view_of_bool(false);
  expect_gives(iut, yes, structural, VALUES(x, y, yes, no));
  expect_gives(iut, no, structural, VALUES(x, y, no, no));
  expect_gives(iut, yes, structural, VALUES(x, x, no, no));
  TVMFFIAny xx = value_of(iut, "ffi.Array", VALUES(x, x)),
            yy = value_of(iut, "ffi.Array", VALUES(y, y));
  TVMFFIAny xy = value_of(iut, "ffi.Array", VALUES(x, y)),
            yx = value_of(iut, "ffi.Array", VALUES(y, x));
  expect_gives(iut, yes, structural, VALUES(xx, yy, yes, no));
  expect_gives(iut, yes, structural, VALUES(xy, yx, yes, no));
  expect_gives(iut, no, structural, VALUES(xx, xy, yes, no));
  expect_gives(iut, no, structural, VALUES(xy, xx, yes, no));
  expect_gives(iut, no, structural, VALUES(xx, yy, no, no));
  TVMFFIAny *owned[] = {&xx, &yy, &xy, &yx};
  for (int i = 0; i < 4; ++i) release_any(iut, owned[i]);
}

static const struct {
  const char *name, *one, *other;
  bool equal;
} keyed[] = {
    {"equal", "{\"a\":[1,2]}", "{\"a\":[1,2]}", true},
    {"other", "{\"a\":[1,2]}", "{\"a\":[1,3]}", false},
};

CASE_ROWS(keys_are_compared, keyed, .clauses = {REFL_34},
          .title = "keys of structurally equal values are equal, keys of others are not")
{
  TVMFFIAny one = json_value(iut, row->one), other = json_value(iut, row->other);
  TVMFFIAny one_key = value_of(iut, "ffi.StructuralKey", VALUES(one));
  TVMFFIAny other_key = value_of(iut, "ffi.StructuralKey", VALUES(other));
  expect_gives(iut, view_of_bool(row->equal), "ffi.StructuralKeyEqual", VALUES(one_key, other_key));
  expect_gives(iut, view_of_bool(true), "ffi.StructuralKeyEqual", VALUES(one_key, one_key));
  TVMFFIAny *owned[] = {&other_key, &one_key, &other, &one};
  for (int i = 0; i < 4; ++i) release_any(iut, owned[i]);
}

CASE(keys_count_by_their_structure, .clauses = {REFL_10},
     .title = "keys of equal values are one key of a Map, keys of others are two")
{
  const char *const texts[] = {"{\"a\":[1,2]}", "{\"a\":[1,2]}", "{\"a\":[1,3]}"};
  TVMFFIAny keys[3];
  for (int i = 0; i < 3; ++i) {
    TVMFFIAny value = json_value(iut, texts[i]);
    keys[i] = value_of(iut, "ffi.StructuralKey", VALUES(value));
    release_any(iut, &value);
  }
  TVMFFIAny map =
      value_of(iut, "ffi.Map", VALUES(keys[0], view_of_int(1), keys[2], view_of_int(3)));
  expect_gives(iut, view_of_int(2), "ffi.MapSize", VALUES(map));
  expect_gives(iut, view_of_int(1), "ffi.MapGetItem", VALUES(map, keys[1]));
  release_any(iut, &map);
  for (int i = 0; i < 3; ++i) release_any(iut, &keys[i]);
}

// --- Walks ---------------------------------------------------------------------------------------

typedef struct {
  Iut *iut;
  TVMFFIAny give;  // borrow: what is returned for `at`
  int64_t at, add;
  char met[40];
  size_t count;
} Met;

// Notes what it is called with: ints by themselves, arrays as `a`.
static int note_value(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Met *met = handle;
  bool is_int = num_args > 0 && args[0].type_index == kTVMFFIInt;
  if (met->count + 2 < sizeof met->met) {
    met->met[met->count++] = is_int ? (char)('0' + args[0].v_int64 % 10) : 'a';
  }
  if (is_int && args[0].v_int64 == met->at && met->give.type_index != kTVMFFINone) {
    met->iut->ObjectIncRef(met->give.v_obj);
    *result = met->give;
  }
  if (is_int && met->add != 0) *result = view_of_int(args[0].v_int64 + met->add);
  return 0;
}

// Own: callbacks for ints and, if asked for, Arrays.
static TVMFFIAny new_callbacks(Iut *iut, Met *met, bool for_arrays)
{
  TVMFFIAny function = view_of_object(iut, new_function(iut, met, note_value, NULL));
  TVMFFIAny ints = value_of(iut, "ffi.Array", VALUES(view_of_int(kTVMFFIInt), function));
  TVMFFIAny arrays = value_of(iut, "ffi.Array", VALUES(view_of_int(kTVMFFIArray), function));
  TVMFFIAny all = for_arrays ? value_of(iut, "ffi.Array", VALUES(ints, arrays))
                             : value_of(iut, "ffi.Array", VALUES(ints));
  release_any(iut, &arrays);
  release_any(iut, &ints);
  release_any(iut, &function);
  return all;
}

static const struct {
  const char *name;
  int64_t order;
  const char *met;
} orders[] = {{"before", 0, "aa12a34"}, {"behind", 1, "12a34aa"}};

CASE_ROWS(walk_calls_for_each_value, orders, .clauses = {REFL_11},
          .title = "a walk calls for each value, before or behind what it holds, and not for keys")
{
  Met met = {.iut = iut};
  TVMFFIAny value = json_value(iut, "[[1,2],{\"k\":[3,4]}]"),
            none = value_of(iut, "ffi.Array", VALUES());
  TVMFFIAny callbacks = new_callbacks(iut, &met, true);
  TVMFFIAny order = view_of_int(row->order);
  expect_gives(iut, any_none(), walk, VALUES(value, callbacks, none, order));
  expect_text("what was met", (TVMFFIByteArray){met.met, met.count}, row->met);
  release_any(iut, &callbacks);
  release_any(iut, &none);
  release_any(iut, &value);
}

CASE(interrupt_ends_a_walk, .clauses = {REFL_12},
     .title = "a walk ends with the interrupt that a callback returns, and gives it")
{
  Met met = {
      .iut = iut, .at = 2, .give = value_of(iut, "ffi.VisitInterrupt", VALUES(view_of_int(7)))};
  TVMFFIAny value = json_value(iut, "[1,2,3]"), none = value_of(iut, "ffi.Array", VALUES());
  TVMFFIAny callbacks = new_callbacks(iut, &met, false);
  TVMFFIAny result = value_of(iut, walk, VALUES(value, callbacks, none, view_of_int(0)));
  expect_same_bytes(&result, &met.give);
  expect_text("what was met", (TVMFFIByteArray){met.met, met.count}, "12");
  release_any(iut, &result);
  release_any(iut, &met.give);
  release_any(iut, &callbacks);
  release_any(iut, &none);
  release_any(iut, &value);
}

CASE(map_replaces, .clauses = {REFL_13},
     .title =
         "a map replaces ints in Arrays and Maps, shares the rest, and leaves what it was given")
{
  Met met = {.iut = iut, .add = 5};
  TVMFFIAny value = json_value(iut, "[[1,2],{\"k\":[3]},[\"a\"]]");
  TVMFFIAny none = value_of(iut, "ffi.Array", VALUES());
  TVMFFIAny callbacks = new_callbacks(iut, &met, false);
  TVMFFIAny result = value_of(iut, map_name, VALUES(value, callbacks, none, view_of_int(1)));
  JsonShown before = {.size = 0}, after = {.size = 0};
  json_show(iut, value, &before);
  json_show(iut, result, &after);
  expect_text("value", (TVMFFIByteArray){before.text, before.size}, "[[1,2],{'k':[3]},['a']]");
  expect_text("result", (TVMFFIByteArray){after.text, after.size}, "[[6,7],{'k':[8]},['a']]");
  if (result.type_index == kTVMFFIArray && sequence_cell(iut, result.v_obj)->size == 3) {
    expect_that(sequence_elements(iut, result.v_obj)[2].v_obj ==
                    sequence_elements(iut, value.v_obj)[2].v_obj,
                "the array that nothing changes", "another one");
  }
  release_any(iut, &result);
  release_any(iut, &callbacks);
  release_any(iut, &none);
  release_any(iut, &value);
}

// --- Limits --------------------------------------------------------------------------------------

static const struct {
  const char *name, *function;
  bool two, walks;
} limits[] = {
    {"equality", structural, true, false},
    {"hash", "ffi.StructuralHash", false, false},
    {"walk", walk, false, true},
    {"map", map_name, false, true},
};

// Calls the function of a row with values that it may refuse.
static void try_limit(Iut *iut, size_t place, TVMFFIAny one, TVMFFIAny other)
{
  TVMFFIAny none = value_of(iut, "ffi.Array", VALUES()), no = view_of_bool(false),
            result = any_none();
  if (is_registered(iut, limits[place].function)) {
    const char *name = limits[place].function;
    int code = limits[place].two ? call_registered(iut, &result, name, VALUES(one, other, no, no))
               : limits[place].walks
                   ? call_registered(iut, &result, name, VALUES(one, none, none, view_of_int(1)))
                   : call_registered(iut, &result, name, VALUES(one, no, no));
    if (code != 0) expect_error(iut, code, NULL);
    expect_that(true, "a result or an error", "none");
    if (code == 0) release_any(iut, &result);
  } else {
    expect_that(true, "no such function", "one");
  }
  release_any(iut, &none);
}

static TVMFFIAny new_nest_of_arrays(Iut *iut)
{
  TVMFFIAny value = value_of(iut, "ffi.Array", VALUES());
  for (int depth = 1; depth < 40000; ++depth) {
    TVMFFIAny outer = value_of(iut, "ffi.Array", VALUES(value));
    release_any(iut, &value);
    value = outer;
  }
  return value;
}

CASE_ROWS(deep_values_are_no_danger, limits, .clauses = {REFL_14}, .wrong_call = true,
          .title = "Arrays nested 40,000 levels deep are looked through or refused")
{
  TVMFFIAny one = new_nest_of_arrays(iut), other = row->two ? new_nest_of_arrays(iut) : any_none();
  try_limit(iut, (size_t)(row - limits), one, other);
  release_any(iut, &one);
  release_any(iut, &other);
}

CASE_ROWS(circles_are_no_danger, limits, .clauses = {REFL_15}, .wrong_call = true,
          .title = "a List that holds itself is looked through or refused")
{
  TVMFFIAny list = value_of(iut, "ffi.List", VALUES()), other = value_of(iut, "ffi.List", VALUES());
  value_of(iut, "ffi.ListAppend", VALUES(list, list));
  value_of(iut, "ffi.ListAppend", VALUES(other, other));
  try_limit(iut, (size_t)(row - limits), list, other);
  value_of(iut, "ffi.ListClear", VALUES(list));
  value_of(iut, "ffi.ListClear", VALUES(other));
  release_any(iut, &list);
  release_any(iut, &other);
}
