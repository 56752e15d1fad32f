// SPDX-License-Identifier: Apache-2.0
// Who owns what: values that go into containers, come out of them, and end with them.
#include "cases/runtime/container_calling.h"

CHAPTER(container);

// --- Going in ------------------------------------------------------------------------------------

// Where a value can be put. The container is made of `before`, and then `put` is called with it,
// the index or key 0, and the value.
typedef struct Road {
  const char *name;
  const char *maker;
  enum { MADE_OF, MADE_OF_KEY, MADE_OF_PAIR, PUT, PUT_AT, PUT_AS_KEY } way;
  const char *put;    // the function that changes it
  const char *taker;  // what gives the value back, or the function that walks
} Road;

static const Road roads[] = {
    {"array", "ffi.Array", MADE_OF, NULL, "ffi.ArrayGetItem"},
    {"list", "ffi.List", MADE_OF, NULL, "ffi.ListGetItem"},
    {"list-append", "ffi.List", PUT, "ffi.ListAppend", "ffi.ListGetItem"},
    {"list-insert", "ffi.List", PUT_AT, "ffi.ListInsert", "ffi.ListGetItem"},
    {"list-set", "ffi.List", PUT_AT, "ffi.ListSetItem", "ffi.ListGetItem"},
    {"map-key", "ffi.Map", MADE_OF_KEY, NULL, "ffi.MapForwardIterFunctor"},
    {"map-value", "ffi.Map", MADE_OF_PAIR, NULL, "ffi.MapGetItem"},
    {"dict-key", "ffi.Dict", MADE_OF_KEY, NULL, "ffi.DictForwardIterFunctor"},
    {"dict-value", "ffi.Dict", MADE_OF_PAIR, NULL, "ffi.DictGetItem"},
    {"dict-set-key", "ffi.Dict", PUT_AS_KEY, "ffi.DictSetItem", "ffi.DictForwardIterFunctor"},
    {"dict-set-value", "ffi.Dict", PUT_AT, "ffi.DictSetItem", "ffi.DictGetItem"},
};

// Own: a container into which the view went along the road. The arguments are fenced.
static TVMFFIObjectHandle container_with(Iut *iut, const Road *road, TVMFFIAny view)
{
  TVMFFIAny zero = view_of_int(0), values[3] = {view, zero, view};
  size_t count = road->way == MADE_OF ? 1 : 2;
  if (road->way == MADE_OF_PAIR) values[0] = zero, values[1] = view;
  if (road->way <= MADE_OF_PAIR)
    return object_of(iut, road->maker, fenced_args(values, count), count);
  // A list that is set needs an element; all others begin empty.
  bool with_element = road->put && strcmp(road->put, "ffi.ListSetItem") == 0;
  TVMFFIObjectHandle made = object_of(iut, road->maker, &zero, with_element);
  TVMFFIAny args[3] = {view_of_object(iut, made), zero, view};
  if (road->way != PUT_AT) args[1] = view, args[2] = zero;
  count = road->way == PUT ? 2 : 3;
  value_of(iut, road->put, fenced_args(args, count), count);
  return made;
}

// Own: the value that went into the container.
static TVMFFIAny taken_from(Iut *iut, const Road *road, TVMFFIObjectHandle container)
{
  TVMFFIAny view = view_of_object(iut, container), zero = view_of_int(0), key = any_none();
  if (road->way != MADE_OF_KEY && road->way != PUT_AS_KEY)
    return value_of(iut, road->taker, VALUES(view, zero));
  TVMFFIObjectHandle walk = object_of(iut, road->taker, VALUES(view));
  require(expect_ok(iut, iut->FunctionCall(walk, &zero, 1, &key)));
  release_object(iut, walk);
  return key;
}

CASE_ROWS(borrowed_texts_become_owned, roads, .clauses = {CON_6},
          .title =
              "a raw C string that goes into a container becomes a string, and a byte array "
              "bytes")
{
  static const char *const texts[] = {"small", "longer than a small one"};
  for (unsigned i = 0; i < 2; ++i) {
    size_t size = strlen(texts[i]);
    char *text = fenced_buffer("the C string", size + 1);
    memcpy(text, texts[i], size + 1);
    TVMFFIByteArray array = {fenced_copy("the bytes", texts[i], size), size};
    TVMFFIObjectHandle strings = container_with(iut, row, view_of_raw_string(text));
    TVMFFIObjectHandle bytes = container_with(iut, row, view_of_byte_array(&array));
    memset(text, '#', size);
    TVMFFIAny string = taken_from(iut, row, strings), data = taken_from(iut, row, bytes);
    note("of %zu bytes, read back after the C string was overwritten", size);
    if (size > 7) {
      expect_heap_string(iut, &string, texts[i], size);
      expect_heap_bytes(iut, &data, texts[i], size);
    } else {
      expect_small_string(&string, texts[i], size);
      expect_small_bytes(&data, texts[i], size);
    }
    release_any(iut, &string);
    release_any(iut, &data);
    release_object(iut, strings);
    release_object(iut, bytes);
  }
}

CASE_ROWS(objects_are_retained_or_moved, roads, .clauses = {CON_6},
          .title =
              "an object that goes into a container gains one reference; one that is handed "
              "over gains none and leaves its slot")
{
  TVMFFIObjectHandle probe = new_probe_object(iut), slot = probe;
  TVMFFIObjectHandle container = container_with(iut, row, view_of_object(iut, probe));
  expect_counts(iut, probe, .strong = 2, .weak = 1);
  release_object(iut, container);
  require(expect_counts(iut, probe, .strong = 1, .weak = 1));
  note("handed over as an rvalue reference");
  container = container_with(iut, row, view_of_rvalue(&slot));
  expect_pointer("the slot", slot, NULL);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  TVMFFIAny value = taken_from(iut, row, container);
  expect_type_index(&value, PROBE_TYPE_INDEX);
  expect_pointer("what the container holds", value.v_obj, probe);
  release_any(iut, &value);
  expect_deleter_calls(probe, "");
  release_object(iut, container);
  expect_deleter_calls(probe, "3");
}

// --- Coming out ----------------------------------------------------------------------------------

static const Road readers[] = {
    {"array-get-item", "ffi.Array", MADE_OF, NULL, "ffi.ArrayGetItem"},
    {"list-get-item", "ffi.List", MADE_OF, NULL, "ffi.ListGetItem"},
    {"map-get-item", "ffi.Map", MADE_OF_PAIR, NULL, "ffi.MapGetItem"},
    {"map-get-item-or-missing", "ffi.Map", MADE_OF_PAIR, NULL, "ffi.MapGetItemOrMissing"},
    {"map-walk", "ffi.Map", MADE_OF_KEY, NULL, "ffi.MapForwardIterFunctor"},
    {"dict-get-item", "ffi.Dict", MADE_OF_PAIR, NULL, "ffi.DictGetItem"},
    {"dict-get-item-or-missing", "ffi.Dict", MADE_OF_PAIR, NULL, "ffi.DictGetItemOrMissing"},
    {"dict-walk", "ffi.Dict", MADE_OF_KEY, NULL, "ffi.DictForwardIterFunctor"},
};

CASE_ROWS(what_comes_out_is_owned_by_the_caller, readers, .clauses = {CON_7},
          .title =
              "reading an object adds one reference to it, every time, and changes nothing "
              "else")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIObjectHandle container = container_with(iut, row, view_of_object(iut, probe));
  for (unsigned i = 1; i <= 3; ++i) {
    TVMFFIAny value = taken_from(iut, row, container);
    expect_type_index(&value, PROBE_TYPE_INDEX);
    expect_pointer("what was read", value.v_obj, probe);
    expect_counts(iut, probe, .strong = 2 + i, .weak = 1);
    expect_counts(iut, container, .strong = 1, .weak = 1);
  }
  release_object(iut, container);
  expect_counts(iut, probe, .strong = 4, .weak = 1);
  for (unsigned i = 0; i < 3; ++i) release_object(iut, probe);
  expect_deleter_calls(probe, "");
}

CASE_ROWS(plain_values_come_out_as_they_went_in, readers, .clauses = {CON_7},
          .title = "plain values and small texts are read with the 16 bytes that were put in")
{
  const TVMFFIAny values[] = {any_none(),
                              view_of_int(INT64_MIN),
                              view_of_bool(true),
                              view_of_float(-0.0),
                              view_of_bits(kTVMFFIFloat, 0x7ff8000000000123),
                              view_of_bits(kTVMFFIOpaquePtr, 0x123456789),
                              view_of_bits(kTVMFFIDataType, 0x00012002),
                              view_of_bits(kTVMFFIDevice, 0x0000000300000002),
                              view_of_small(kTVMFFISmallStr, "a\0c", 3),
                              view_of_small(kTVMFFISmallBytes, "sevenBs", 7)};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
    note("a value of type index %d", values[i].type_index);
    TVMFFIObjectHandle container = container_with(iut, row, values[i]);
    TVMFFIAny value = taken_from(iut, row, container);
    expect_same_bytes(&value, &values[i]);
    release_object(iut, container);
  }
}

// --- The end -------------------------------------------------------------------------------------

static const struct {
  const char *name;
  const char *maker;
  int count;  // of arguments: at every odd index an object, and at every even one, too, if `keys`
  bool keys;
} mortals[] = {
    {"array", "ffi.Array", 8, true},     {"list", "ffi.List", 8, true},
    {"map-values", "ffi.Map", 8, false}, {"map-keys", "ffi.Map", 2, true},
    {"large-map", "ffi.Map", 40, false}, {"dict-values", "ffi.Dict", 8, false},
    {"dict-keys", "ffi.Dict", 2, true},  {"large-dict", "ffi.Dict", 40, false},
};

CASE_ROWS(dying_container_releases_what_it_holds, mortals, .clauses = {CON_8},
          .title =
              "a destroyed container releases an object as often as it held it, also when weak "
              "references to the container remain")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny args[40];
  uint64_t held = (uint64_t)(row->keys ? row->count : row->count / 2);
  for (int i = 0; i < row->count; ++i)
    args[i] = row->keys || i % 2 ? view_of_object(iut, probe) : view_of_int(i);
  for (int weakly = 0; weakly < 2; ++weakly) {
    note(weakly ? "with a weak reference left" : "with no reference left");
    TVMFFIObjectHandle container = object_of(iut, row->maker, args, (size_t)row->count);
    if (weakly) object_take_weak(iut, container);
    iut->ObjectIncRef(container);
    release_object(iut, container);
    require(expect_counts(iut, probe, .strong = 1 + held, .weak = 1));
    release_object(iut, container);
    expect_counts(iut, probe, .strong = 1, .weak = 1);
    if (weakly) object_release_weak(iut, container);
    expect_deleter_calls(probe, "");
  }
  release_object(iut, probe);
  expect_deleter_calls(probe, "3");
}

CASE(
    containers_in_containers_end_together, .clauses = {CON_8},
    .title = "an array in a map in an array is destroyed with the outermost, as is an object in it")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny value = view_of_object(iut, probe);
  TVMFFIObjectHandle inner = object_of(iut, "ffi.Array", VALUES(value, value));
  TVMFFIObjectHandle map =
      object_of(iut, "ffi.Map", VALUES(view_of_int(1), view_of_object(iut, inner)));
  TVMFFIObjectHandle outer = object_of(iut, "ffi.Array", VALUES(view_of_object(iut, map)));
  expect_counts(iut, inner, .strong = 2, .weak = 1);
  release_object(iut, inner);
  release_object(iut, map);
  release_object(iut, probe);
  expect_counts(iut, probe, .strong = 2, .weak = 1);
  release_object(iut, outer);
  expect_deleter_calls(probe, "3");
}
