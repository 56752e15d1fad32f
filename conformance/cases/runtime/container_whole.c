// SPDX-License-Identifier: Apache-2.0
// Copies of containers together with what is in them.
#include "cases/runtime/container_whole.h"

CHAPTER(container);

// A container with a list `inner` as the value of 1, among `others` integers; keys and indices fall
// where the container has keys.
typedef struct Holder {
  const char *name, *make, *get;
  const MapKind *map;  // NULL: a sequence
  int others;
} Holder;

static const Holder holders[] = {
    {"array", "ffi.Array", "ffi.ArrayGetItem", NULL, 12},
    {"list", "ffi.List", "ffi.ListGetItem", NULL, 12},
    {"small-map", "ffi.Map", "ffi.MapGetItem", &the_map, 2},
    {"dense-map", "ffi.Map", "ffi.MapGetItem", &the_map, 12},
    {"small-dict", "ffi.Dict", "ffi.DictGetItem", &the_dict, 2},
    {"dense-dict", "ffi.Dict", "ffi.DictGetItem", &the_dict, 12},
};

enum { HELD_MAX = 30 };

// Own: element 0 is the value `second`, element 1 `first`, the others are their index times ten.
static TVMFFIAny new_holder(Iut *iut, const Holder *holder, TVMFFIAny first, TVMFFIAny second)
{
  TVMFFIAny args[HELD_MAX];
  size_t count = 0;
  for (int i = 0; i < holder->others + 2; ++i) {
    int index = holder->map ? holder->others + 1 - i : i;
    if (holder->map) args[count++] = view_of_int(index);
    args[count++] = index == 0 ? second : index == 1 ? first : view_of_int(10L * index);
  }
  return value_of(iut, holder->make, args, count);
}

// Own: what stands at the index, or under the key.
static TVMFFIAny held(Iut *iut, const Holder *holder, TVMFFIAny container, int index)
{
  return value_of(iut, holder->get, VALUES(container, view_of_int(index)));
}

static void expect_falling_key(Iut *iut, int64_t place, TVMFFIAny key, TVMFFIAny value,
                               void *context)
{
  const Holder *holder = context;
  TVMFFIAny due = view_of_int(holder->others + 1 - place);
  expect_same_bytes(&key, &due);
  release_any(iut, &value);
}

// The integers are in their places, the keys in their order, and nothing else is there.
static void expect_integers_held(Iut *iut, const Holder *holder, TVMFFIAny container)
{
  int size = holder->others + 2;
  if (holder->map) {
    expect_gives(iut, view_of_int(size), holder->map->size, VALUES(container));
    expect_walk(iut, holder->map, container, size, expect_falling_key, (void *)(uintptr_t)holder);
  } else {
    expect_int("number of elements", sequence_cell(iut, container.v_obj)->size, size);
  }
  for (int i = 2; i < size; ++i)
    expect_gives(iut, view_of_int(10L * i), holder->get, VALUES(container, view_of_int(i)));
}

CASE_ROWS(copy_has_copies_of_what_it_holds, holders, .clauses = {CON_69},
          .title = "a deep copy is a new container with the same values and a copy of a list in it")
{
  TVMFFIAny inner = whole_value(iut, "<7 8>"), number = view_of_int(5);
  TVMFFIAny original = new_holder(iut, row, inner, number);
  TVMFFIAny made = value_of(iut, copy, VALUES(original));
  require(expect_type_index(&made, original.type_index));
  require(expect_that(made.v_obj != original.v_obj, "a new container", "the same"));
  expect_counts(iut, made.v_obj, .strong = 1, .weak = 1);
  expect_integers_held(iut, row, made);
  TVMFFIAny list = held(iut, row, made, 1);
  require(expect_type_index(&list, kTVMFFIList));
  expect_that(list.v_obj != inner.v_obj, "a copy of the list", "the list itself");
  expect_integers(iut, list.v_obj, 2, (const int64_t[]){7, 8});
  expect_counts(iut, list.v_obj, .strong = 2, .weak = 1);
  note("the original");
  expect_integers_held(iut, row, original);
  expect_counts(iut, original.v_obj, .strong = 1, .weak = 1);
  expect_counts(iut, inner.v_obj, .strong = 2, .weak = 1);
  expect_integers(iut, inner.v_obj, 2, (const int64_t[]){7, 8});
  release_any(iut, &list);
  release_any(iut, &made);
  release_any(iut, &original);
  expect_counts(iut, inner.v_obj, .strong = 1, .weak = 1);
  release_any(iut, &inner);
}

static const struct {
  const char *name, *text;
} kinds[] = {{"array", "[]"}, {"list", "<>"}, {"map", "{}"}, {"dict", "()"}};

CASE_ROWS(empty_container_is_copied, kinds, .clauses = {CON_69},
          .title = "the copy of an empty container is empty, and that of a list or dict another")
{
  TVMFFIAny original = whole_value(iut, row->text), made = value_of(iut, copy, VALUES(original));
  require(expect_type_index(&made, original.type_index));
  if (original.type_index == kTVMFFIList || original.type_index == kTVMFFIDict) {
    expect_that(made.v_obj != original.v_obj, "a new container", "the same");
    expect_counts(iut, made.v_obj, .strong = 1, .weak = 1);
    expect_counts(iut, original.v_obj, .strong = 1, .weak = 1);
  }
  release_any(iut, &made);
  release_any(iut, &original);
}

static void expect_copied_key(Iut *iut, int64_t place, TVMFFIAny key, TVMFFIAny value,
                              void *context)
{
  (void)place;
  if (expect_type_index(&key, kTVMFFIList)) {
    expect_that(key.v_obj != context, "a copy of the key", "the key itself");
    expect_integers(iut, key.v_obj, 1, (const int64_t[]){3});
  }
  release_any(iut, &key);
  release_any(iut, &value);
}

static const struct {
  const char *name;
  const MapKind *kind;
} maps[] = {{"map", &the_map}, {"dict", &the_dict}};

CASE_ROWS(key_that_is_a_container_is_copied, maps, .clauses = {CON_69},
          .title = "a list that is a key is copied with the map")
{
  TVMFFIAny key = whole_value(iut, "<3>");
  TVMFFIAny original = value_of(iut, row->kind->make, VALUES(key, view_of_int(4)));
  TVMFFIAny made = value_of(iut, copy, VALUES(original));
  expect_gives(iut, view_of_int(1), row->kind->size, VALUES(made));
  expect_walk(iut, row->kind, made, 1, expect_copied_key, key.v_obj);
  expect_entry(iut, row->kind, original, key, view_of_int(4));
  release_any(iut, &made);
  release_any(iut, &original);
  release_any(iut, &key);
}

static const struct {
  const char *name, *text;
} constants[] = {
    {"string", "'longer-than-seven"}, {"bytes", "\"longer-than-seven"}, {"shape", "#2,3"}};

CASE_ROWS(what_never_changes_is_not_copied, constants, .clauses = {CON_70},
          .title = "a copy shares strings, bytes and shapes, alone and in a container")
{
  TVMFFIAny value = whole_value(iut, row->text);
  ExpectedCounts before = counts_of(iut, value.v_obj);
  TVMFFIAny alone = value_of(iut, copy, VALUES(value));
  expect_type_index(&alone, value.type_index);
  expect_pointer("the copy", alone.v_obj, value.v_obj);
  expect_counts_added(iut, value.v_obj, before, 1);
  release_any(iut, &alone);
  for (unsigned i = 0; i < sizeof holders / sizeof *holders; ++i) {
    note("in a container (%s)", holders[i].name);
    if (!is_registered(iut, holders[i].make)) continue;
    TVMFFIAny original = new_holder(iut, &holders[i], value, any_none());
    TVMFFIAny made = value_of(iut, copy, VALUES(original)),
              inside = held(iut, &holders[i], made, 1);
    expect_pointer("what is in the copy", inside.v_obj, value.v_obj);
    expect_counts_added(iut, value.v_obj, before, 3);
    release_any(iut, &inside);
    release_any(iut, &made);
    release_any(iut, &original);
  }
  release_any(iut, &value);
}

CASE(plain_values_are_their_copies, .clauses = {CON_70},
     .title = "the copy of a plain value is the same value")
{
  TVMFFIAny values[] = {any_none(),
                        view_of_int(-7),
                        view_of_bool(true),
                        view_of_float(2.5),
                        view_of_bits(kTVMFFIDataType, 0x00042002),
                        view_of_bits(kTVMFFIDevice, 2),
                        view_of_small_string("seven77"),
                        view_of_small(kTVMFFISmallBytes, "\0a", 2)};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i)
    expect_gives(iut, values[i], copy, VALUES(values[i]));
}

CASE_ROWS(what_is_shared_is_copied_once, holders, .clauses = {CON_71},
          .title = "a list that is held in two places is one list in the copy, too")
{
  TVMFFIAny inner = whole_value(iut, "<7 8>");
  TVMFFIAny original = new_holder(iut, row, inner, inner);
  TVMFFIAny made = value_of(iut, copy, VALUES(original));
  TVMFFIAny one = held(iut, row, made, 0), other = held(iut, row, made, 1);
  require(expect_type_index(&one, kTVMFFIList) && expect_type_index(&other, kTVMFFIList));
  expect_pointer("the list in the second place", other.v_obj, one.v_obj);
  expect_that(one.v_obj != inner.v_obj, "a copy of the list", "the list itself");
  expect_integers(iut, one.v_obj, 2, (const int64_t[]){7, 8});
  release_any(iut, &one);
  release_any(iut, &other);
  release_any(iut, &made);
  release_any(iut, &original);
  release_any(iut, &inner);
}

static const struct {
  const char *name, *get;
  bool dict;
} circles[] = {{"list", "ffi.ListGetItem", false}, {"dict", "ffi.DictGetItem", true}};

CASE_ROWS(copy_of_a_circle_is_a_circle, circles, .clauses = {CON_71}, .wrong_call = true,
          .title = "the copy of a container that holds itself holds itself")
{
  TVMFFIAny original = new_circle(iut, row->dict), made = value_of(iut, copy, VALUES(original));
  require(expect_that(made.v_obj != original.v_obj, "a new container", "the same"));
  TVMFFIAny inside = value_of(iut, row->get, VALUES(made, view_of_int(1)));
  expect_pointer("what the copy holds", inside.v_obj, made.v_obj);
  release_any(iut, &inside);
  expect_counts(iut, made.v_obj, .strong = 2, .weak = 1);
  expect_counts(iut, original.v_obj, .strong = 2, .weak = 1);
  end_circle(iut, &made, row->dict);
  end_circle(iut, &original, row->dict);
}

// Own: the value within containers, the innermost first.
static TVMFFIAny surrounded(Iut *iut, TVMFFIAny value, const char *kinds_of_containers)
{
  iut->ObjectIncRef(value.v_obj);
  for (const char *kind = kinds_of_containers; *kind; ++kind) {
    TVMFFIAny parts[] = {view_of_int(1), value, view_of_int(2), view_of_int(3)};
    const char *make = *kind == 'a'   ? "ffi.Array"
                       : *kind == 'l' ? "ffi.List"
                       : *kind == 'm' ? "ffi.Map"
                                      : "ffi.Dict";
    TVMFFIAny made = value_of(iut, make, parts, 4);
    release_any(iut, &value);
    value = made;
  }
  return value;
}

// --- Memory --------------------------------------------------------------------------------------

static void copy_and_compare(Iut *iut, void *context)
{
  const TVMFFIAny *value = context;
  TVMFFIAny made = value_of(iut, copy, VALUES(*value));
  if (is_registered(iut, equal)) {
    expect_gives(iut, view_of_bool(true), equal, VALUES(made, *value));
    value_of(iut, hash, VALUES(made));
  }
  release_any(iut, &made);
}

static void copy_in_vain(Iut *iut, void *context)
{
  TVMFFIAny made = any_none(), *value = context;
  if (call_registered(iut, &made, copy, value, 1) == 0) {
    release_any(iut, &made);
  } else {
    TVMFFIObjectHandle error = take_error(iut);
    if (error) release_object(iut, error);
  }
}

CASE(copies_leave_no_memory_behind, .clauses = {CON_12}, .patience = 2,
     .title = "copying and comparing containers does not leak")
{
  TVMFFIAny value = whole_value(iut, "[<'longer-than-seven (1 2, 3 4)> {5 [6 7 8]} #9,9 0.5]");
  expect_no_heap_growth(iut, 100, copy_and_compare, &value);
  release_any(iut, &value);
}

CASE(refused_copies_leave_no_memory_behind, .clauses = {CON_12}, .patience = 2,
     .title = "copies of a function, refused or not, do not make the process grow")
{
  TVMFFIAny function = view_of_object(iut, registered(iut, copy));
  TVMFFIAny value = surrounded(iut, function, "dlam");
  expect_no_heap_growth(iut, 100, copy_in_vain, &value);
  release_any(iut, &value);
  release_any(iut, &function);
}
