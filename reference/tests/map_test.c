// SPDX-License-Identifier: Apache-2.0
// Maps and dicts: what functions of the runtime make of them, and the bytes that compiled code
// reads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "map_walk.h"
#include "probe.h"
#include "unit/unit.h"

static const char *const makers[] = {"ffi.Map", "ffi.Dict"};
static const char *const sizes[] = {"ffi.MapSize", "ffi.DictSize"};
static const char *const counts[] = {"ffi.MapCount", "ffi.DictCount"};
static const char *const gets[] = {"ffi.MapGetItem", "ffi.DictGetItem"};
static const char *const gets_or_missing[] = {"ffi.MapGetItemOrMissing",
                                              "ffi.DictGetItemOrMissing"};
static const char *const walks[] = {"ffi.MapForwardIterFunctor", "ffi.DictForwardIterFunctor"};

// Makes a map, or a dict, of 0 -> 0, 1 -> 10, 2 -> 20 and so on.
static TVMFFIObject *make_tens(const char *maker, int32_t count)
{
  TVMFFIAny *args = calloc((size_t)count + 1, 2 * sizeof *args);
  for (int32_t i = 0; i < count; ++i) {
    args[2 * i] = view_int(i);
    args[2 * i + 1] = view_int(10 * i);
  }
  TVMFFIObject *map = call_object(maker, args, 2 * count);
  free(args);
  return map;
}

static const int32_t some_sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 100, 126, 127, 1000, 20000};

static int32_t size_of_row(int row)
{
  int32_t most = rounds(some_sizes[ROWS(some_sizes) - 1]);
  return some_sizes[row] < most ? some_sizes[row] : most;
}

TEST_GROUP(all, .timeout = 60);

TEST(keys_lead_to_values, .rows = 2 * ROWS(some_sizes))
{
  int kind = _i % 2;
  int32_t count = size_of_row(_i / 2);
  TVMFFIObject *map = make_tens(makers[kind], count);
  TVMFFIAny self = view_object(map);
  ck_assert_int_eq(map->type_index, kind == 0 ? kTVMFFIMap : kTVMFFIDict);
  expect_counts(map, 1, 1);
  ck_assert_int_eq(call_int(sizes[kind], ARGS(self)), count);
  ck_assert_uint_eq(map_bytes(map)->size, (uint64_t)count);
  ck_assert(map_is_dense(map) == (count > 4));
  for (int32_t i = 0; i < count; ++i) {
    ck_assert_int_eq(call_int(gets[kind], ARGS(self, view_int(i))), 10 * i);
    ck_assert_int_eq(call_int(counts[kind], ARGS(self, view_int(i))), 1);
  }
  for (int32_t i = count; i < count + 30; ++i) {
    ck_assert_int_eq(call_int(counts[kind], ARGS(self, view_int(i))), 0);
  }
  expect_counts(map, 1, 1);
  TVMFFIObjectDecRef(map);
}

TEST(the_layout_is_as_compiled_code_expects, .rows = 2 * ROWS(some_sizes))
{
  int32_t count = size_of_row(_i / 2);
  TVMFFIObject *map = make_tens(makers[_i % 2], count);
  Pair *pairs = calloc((size_t)count + 1, sizeof *pairs);
  expect_map_in_order(map, pairs);
  for (int32_t i = 0; i < count; ++i) {
    expect_same_value(&pairs[i].key, &(TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = i});
    ck_assert_int_eq(pairs[i].value.v_int64, 10 * i);
  }
  if (count <= 4) {
    ck_assert_ptr_eq(map_bytes(map)->data, (char *)&map_bytes(map)->shift);
    ck_assert_uint_eq(map_bytes(map)->slots, MAP_HIGHEST_BIT | (count <= 2 ? 2 : 4));
    ck_assert(map_bytes(map)->data_deleter == NULL);
  }
  free(pairs);
  TVMFFIObjectDecRef(map);
}

TEST(a_walk_meets_all_entries_in_order, .rows = 2 * ROWS(some_sizes))
{
  int kind = _i % 2;
  int32_t count = size_of_row(_i / 2);
  TVMFFIObject *map = make_tens(makers[kind], count);
  TVMFFIObject *walk = call_object(walks[kind], ARGS(view_object(map)));
  ck_assert_int_eq(walk->type_index, kTVMFFIFunction);
  for (int32_t i = 0; i < count; ++i) {
    ck_assert_int_eq(call_function(walk, ARGS(view_int(0))).v_int64, i);
    ck_assert_int_eq(call_function(walk, ARGS(view_int(1))).v_int64, 10 * i);
    TVMFFIAny more = call_function(walk, ARGS(view_int(2)));
    ck_assert_int_eq(more.type_index, kTVMFFIBool);
    ck_assert_int_eq(more.v_int64, i + 1 < count);
  }
  for (int i = 0; i < 3; ++i) {
    TVMFFIAny result = view_none(), wish = view_int(i);
    int code = TVMFFIFunctionCall(walk, &wish, 1, &result);
    ck_assert_int_eq(code, i == 2 ? 0 : -1);
    if (i == 2) ck_assert_int_eq(result.v_int64, 0);
    if (i != 2) expect_raised("IndexError", "no entry");
  }
  TVMFFIObjectDecRef(map);
  TVMFFIObjectDecRef(walk);
}

// The walk may outlive all other references to the map, and changes of the map.
TEST(a_walk_survives_what_becomes_of_the_map, .rows = 10)
{
  TVMFFIObject *dict = make_tens("ffi.Dict", _i);
  TVMFFIObject *walk = call_object("ffi.DictForwardIterFunctor", ARGS(view_object(dict)));
  call_void("ffi.DictErase", ARGS(view_object(dict), view_int(0)));
  for (int i = 0; i < 3; ++i) drop(call_function(walk, ARGS(view_int(2))));
  for (int i = 100; i < 200; ++i) {
    call_void("ffi.DictSetItem", ARGS(view_object(dict), view_int(i), view_int(i)));
  }
  for (int i = 0; i < 3; ++i) drop(call_function(walk, ARGS(view_int(2))));
  call_void("ffi.DictClear", ARGS(view_object(dict)));
  TVMFFIObjectDecRef(dict);
  for (int i = 0; i < 3; ++i) drop(call_function(walk, ARGS(view_int(2))));
  TVMFFIObjectDecRef(walk);
}

TEST(a_missing_key_is_told, .rows = 4)
{
  TVMFFIObject *map = make_tens(makers[_i % 2], _i < 2 ? 3 : 30);
  TVMFFIObject *missing = call_object("ffi.GetInvalidObject", NO_ARGS);
  expect_refused(gets[_i % 2], ARGS(view_object(map), view_int(99)), "KeyError", "key is not in");
  ck_assert_ptr_eq(call_object(gets_or_missing[_i % 2], ARGS(view_object(map), view_int(99))),
                   missing);
  ck_assert_int_eq(call_int(gets_or_missing[_i % 2], ARGS(view_object(map), view_int(2))), 20);
  TVMFFIObjectDecRef(missing);
  TVMFFIObjectDecRef(missing);
  TVMFFIObjectDecRef(map);
}

TEST(a_key_without_a_value_is_refused, .rows = 2)
{
  expect_refused(makers[_i], ARGS(view_int(1)), "InternalError", makers[_i]);
  expect_refused(makers[_i], ARGS(view_int(1), view_int(2), view_int(3)), "InternalError", "value");
}

TEST(the_last_of_equal_keys_counts, .rows = 2)
{
  TVMFFIObject *map = call_object(
      makers[_i], ARGS(view_str("first"), view_int(1), view_str("a second key"), view_int(2),
                       view_str("third"), view_int(3), view_str("a second key"), view_int(4),
                       view_int(5), view_int(5), view_str("first"), view_int(6), view_int(7),
                       view_int(7), view_str("third"), view_int(8)));
  Pair pairs[5];
  ck_assert_int_eq(call_int(sizes[_i], ARGS(view_object(map))), 5);
  expect_map_in_order(map, pairs);
  static const int64_t due[] = {6, 4, 8, 5, 7};
  for (int i = 0; i < ROWS(due); ++i) ck_assert_int_eq(pairs[i].value.v_int64, due[i]);
  expect_string(&pairs[1].key, "a second key");
  TVMFFIObjectDecRef(map);
}

//--------------------------------------------------------------------------------------------------
// Keys
//--------------------------------------------------------------------------------------------------

static TVMFFIAny heap_text(int32_t type_index, const char *text)
{
  TVMFFIByteArray bytes = {text, strlen(text)};
  char padding[32];
  // No function of the C API makes a short one, so a long one is cut.
  memset(padding, '.', sizeof padding);
  memcpy(padding, text, bytes.size);
  bytes = (TVMFFIByteArray){padding, sizeof padding};
  TVMFFIAny value;
  int code = type_index == kTVMFFIStr ? TVMFFIStringFromByteArray(&bytes, &value)
                                      : TVMFFIBytesFromByteArray(&bytes, &value);
  ck_assert_int_eq(code, 0);
  ((TVMFFIByteArray *)(value.v_obj + 1))->size = strlen(text);
  return value;
}

// Every form of a text finds every other one, in small maps and in large ones.
TEST(texts_count_by_their_content, .rows = 4)
{
  static const char *const texts[] = {"", "a", "seven77", "eight888", "a text of 23 characters"};
  bool is_string = _i % 2 == 0;
  for (int t = 0; t < ROWS(texts); ++t) {
    TVMFFIByteArray bytes = {texts[t], strlen(texts[t])};
    TVMFFIAny raw = is_string ? view_str(texts[t]) : view_bytes(&bytes), owned;
    TVMFFIAny heap = heap_text(is_string ? kTVMFFIStr : kTVMFFIBytes, texts[t]);
    ck_assert_int_eq(TVMFFIAnyViewToOwnedAny(&raw, &owned), 0);
    TVMFFIAny forms[] = {raw, owned, heap};
    for (int form = 0; form < 3; ++form) {
      TVMFFIObject *dict = make_tens("ffi.Dict", _i < 2 ? 2 : 100);
      call_void("ffi.DictSetItem", ARGS(view_object(dict), forms[form], view_int(-1)));
      expect_map_in_order(dict, NULL);
      for (int other = 0; other < 3; ++other) {
        ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(view_object(dict), forms[other])), -1);
      }
      TVMFFIAny stranger = is_string ? view_bytes(&bytes) : view_str(texts[t]);
      ck_assert_int_eq(call_int("ffi.DictCount", ARGS(view_object(dict), stranger)), 0);
      TVMFFIObjectDecRef(dict);
    }
    drop(owned);
    drop(heap);
  }
}

TEST(values_of_different_types_are_different_keys)
{
  Probe one = probe_make(kTVMFFIOpaquePyObject), other = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *array = call_object("ffi.Array", ARGS(view_int(1)));
  TVMFFIObject *twin = call_object("ffi.Array", ARGS(view_int(1)));
  TVMFFIAny keys[] = {
      view_none(),
      view_int(1),
      view_bool(1),
      view_float(1),
      view_pointer((void *)1),
      {.type_index = kTVMFFIDataType, .v_dtype = {1, 0, 0}},
      {.type_index = kTVMFFIDevice, .v_device = {1, 0}},
      view_str("1"),
      view_bytes(BYTES("1")),
      view_float(0.0),
      view_float(-0.0),
      {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0x7ff8000000000000)},
      {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0x7ff8000000000001)},
      view_object(&one),
      view_object(&other),
      view_object(array),
      view_object(twin),
      view_int(0),
      view_bool(0),
      view_str(""),
  };
  TVMFFIObject *dict = call_object("ffi.Dict", NO_ARGS);
  TVMFFIAny self = view_object(dict);
  for (int i = 0; i < ROWS(keys); ++i) {
    ck_assert_int_eq(call_int("ffi.DictCount", ARGS(self, keys[i])), 0);
    call_void("ffi.DictSetItem", ARGS(self, keys[i], view_int(i)));
    expect_map_in_order(dict, NULL);
    for (int k = 0; k <= i; ++k) {
      ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(self, keys[k])), k);
    }
  }
  TVMFFIObjectDecRef(dict);
  TVMFFIObjectDecRef(array);
  TVMFFIObjectDecRef(twin);
  expect_counts(&one, 1, 1);
}

// Bytes that a value doesn't use are nobody's key.
TEST(dirty_views_find_clean_keys, .rows = 2)
{
  TVMFFIObject *dict = make_tens("ffi.Dict", _i == 0 ? 2 : 100);
  TVMFFIAny self = view_object(dict);
  TVMFFIAny number = {.type_index = kTVMFFIInt, .zero_padding = 7, .v_int64 = 1};
  TVMFFIAny none = {.type_index = kTVMFFINone, .zero_padding = 7, .v_int64 = 1};
  TVMFFIAny dtype = {.type_index = kTVMFFIDataType, .v_uint64 = UINT64_MAX};
  TVMFFIAny text = {.type_index = kTVMFFISmallStr, .small_str_len = 1};
  memcpy(text.v_bytes, "abcdefgh", 8);
  ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(self, number)), 10);
  call_void("ffi.DictSetItem", ARGS(self, none, view_int(-1)));
  call_void("ffi.DictSetItem", ARGS(self, text, view_int(-2)));
  call_void("ffi.DictSetItem", ARGS(self, dtype, view_int(-3)));
  ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(self, view_none())), -1);
  ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(self, none)), -1);
  ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(self, view_str("a"))), -2);
  dtype.v_uint64 = 0;
  dtype.v_dtype = (DLDataType){255, 255, 65535};
  ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(self, dtype)), -3);
  expect_map_in_order(dict, NULL);
  TVMFFIObjectDecRef(dict);
}

//--------------------------------------------------------------------------------------------------
// Ownership
//--------------------------------------------------------------------------------------------------

TEST(references_are_kept_and_released, .rows = 2)
{
  Probe key = probe_make(kTVMFFIOpaquePyObject), value = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *dict = make_tens("ffi.Dict", _i == 0 ? 0 : 50);
  TVMFFIAny self = view_object(dict);
  call_void("ffi.DictSetItem", ARGS(self, view_object(&key), view_object(&value)));
  expect_counts(&key, 2, 1);
  expect_counts(&value, 2, 1);
  call_void("ffi.DictSetItem", ARGS(self, view_object(&key), view_object(&value)));
  expect_counts(&key, 2, 1);
  expect_counts(&value, 2, 1);
  drop(call("ffi.DictGetItem", ARGS(self, view_object(&key))));
  call_void("ffi.DictSetItem", ARGS(self, view_object(&key), view_int(1)));
  expect_counts(&value, 1, 1);
  call_void("ffi.DictSetItem", ARGS(self, view_int(-1), view_object(&value)));
  call_void("ffi.DictErase", ARGS(self, view_object(&key)));
  expect_counts(&key, 1, 1);
  call_void("ffi.DictErase", ARGS(self, view_object(&key)));
  call_void("ffi.DictSetItem", ARGS(self, view_object(&key), view_object(&key)));
  expect_counts(&key, 3, 1);
  call_void("ffi.DictClear", ARGS(self));
  expect_counts(&key, 1, 1);
  expect_counts(&value, 1, 1);
  call_void("ffi.DictSetItem", ARGS(self, view_object(&key), view_object(&value)));
  TVMFFIObjectDecRef(dict);
  expect_counts(&key, 1, 1);
  expect_counts(&value, 1, 1);
}

TEST(what_cannot_be_made_keeps_nothing, .rows = 2)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObjectHandle moved = NULL, slot = &probe;
  expect_refused(makers[_i % 2],
                 ARGS(view_object(&probe), view_object(&probe), view_rvalue(&moved), view_int(1)),
                 "InternalError", "moved");
  expect_refused(makers[_i % 2],
                 ARGS(view_object(&probe), view_str("longer than seven"), view_str("also longer"),
                      view_rvalue(&moved)),
                 "InternalError", "moved");
  expect_counts(&probe, 1, 1);
  drop(call(makers[_i % 2], ARGS(view_int(1), view_rvalue(&slot))));
  ck_assert_ptr_null(slot);
  ck_assert_int_eq(probe.calls, 1);
}

//--------------------------------------------------------------------------------------------------
// Changing
//--------------------------------------------------------------------------------------------------

// The model: which keys there are, in order. A key has the value that it was given last.
typedef struct {
  int64_t keys[512], values[512];
  int count;
} Model;

static int model_find(const Model *model, int64_t key)
{
  int at = 0;
  while (at < model->count && model->keys[at] != key) ++at;
  return at;
}

static void model_erase(Model *model, int at)
{
  if (at == model->count) return;
  --model->count;
  memmove(&model->keys[at], &model->keys[at + 1], (size_t)(model->count - at) * sizeof(int64_t));
  memmove(&model->values[at], &model->values[at + 1],
          (size_t)(model->count - at) * sizeof(int64_t));
}

static void model_set(Model *model, int64_t key, int64_t value)
{
  int at = model_find(model, key);
  model->keys[at] = key;
  model->values[at] = value;
  if (at == model->count) ++model->count;
}

static void expect_as_model(TVMFFIObject *dict, const Model *model)
{
  Pair pairs[512];
  ck_assert_uint_eq(map_bytes(dict)->size, (uint64_t)model->count);
  expect_map_in_order(dict, pairs);
  for (int i = 0; i < model->count; ++i) {
    ck_assert_int_eq(pairs[i].key.v_int64, model->keys[i]);
    ck_assert_int_eq(pairs[i].value.v_int64, model->values[i]);
  }
}

static const int key_ranges[] = {3, 5, 9, 20, 60, 120, 500};

TEST(any_changes_leave_a_dict_in_order, .rows = ROWS(key_ranges))
{
  static Model model;
  TVMFFIObject *dict = call_object("ffi.Dict", NO_ARGS);
  TVMFFIAny self = view_object(dict);
  uint32_t seed = 1;
  model.count = 0;
  for (int step = 0; step < 4000; ++step) {
    seed = seed * 1103515245 + 12345;
    int64_t key = (seed >> 10) % key_ranges[_i] * 977;
    if (step % 1000 == 999) {
      call_void("ffi.DictClear", ARGS(self));
      model.count = 0;
    } else if ((seed >> 8 & 3) == 0) {
      call_void("ffi.DictErase", ARGS(self, view_int(key)));
      model_erase(&model, model_find(&model, key));
    } else {
      call_void("ffi.DictSetItem", ARGS(self, view_int(key), view_int(step)));
      model_set(&model, key, step);
    }
    if (step % 13 == 0) expect_as_model(dict, &model);
  }
  expect_as_model(dict, &model);
  expect_counts(dict, 1, 1);
  TVMFFIObjectDecRef(dict);
}

TEST(a_map_is_taken_as_a_dict_of_its_own, .first = 1, .rows = 8)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *map = make_tens("ffi.Map", _i);
  call_void("ffi.DictSetItem", ARGS(view_object(map), view_int(1), view_object(&probe)));
  call_void("ffi.DictErase", ARGS(view_object(map), view_int(0)));
  call_void("ffi.DictClear", ARGS(view_object(map)));
  ck_assert_int_eq(call_int("ffi.MapSize", ARGS(view_object(map))), _i);
  expect_refused("ffi.DictSize", ARGS(view_object(map)), "TypeError", "ffi.Dict");
  expect_counts(&probe, 1, 1);
  TVMFFIObjectDecRef(map);
}

//--------------------------------------------------------------------------------------------------
// Memory that somebody else put there
//--------------------------------------------------------------------------------------------------

static int freed;
static void *freed_data;
static void (*real_deleter)(void *);

static void note_and_free(void *data)
{
  ++freed;
  freed_data = data;
  real_deleter(data);
}

TEST(memory_is_freed_by_its_own_deleter, .rows = 3)
{
  TVMFFIObject *dict = make_tens("ffi.Dict", 7);
  void *data = map_bytes(dict)->data;
  real_deleter = map_bytes(dict)->data_deleter;
  map_bytes(dict)->data_deleter = note_and_free;
  freed = 0;
  if (_i == 0) {
    for (int i = 7; i < 20; ++i) {
      call_void("ffi.DictSetItem", ARGS(view_object(dict), view_int(i), view_int(10 * i)));
    }
    ck_assert(map_bytes(dict)->data_deleter != note_and_free);
    ck_assert_int_eq(freed, 1);
    for (int i = 0; i < 20; ++i) {
      ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(view_object(dict), view_int(i))), 10 * i);
    }
  }
  if (_i == 1) {
    call_void("ffi.DictClear", ARGS(view_object(dict)));
    ck_assert_int_eq(freed, map_bytes(dict)->data == data ? 0 : 1);
  }
  TVMFFIObjectDecRef(dict);
  ck_assert_int_eq(freed, 1);
  ck_assert_ptr_eq(freed_data, data);
}

static void release_whole(void *data)
{
  TVMFFIObjectDecRef((char *)data - offsetof(MapBytes, shift));
}

// Compiled code lets a small dict use the memory of another one.
TEST(a_small_dict_may_use_the_memory_of_another, .rows = 6)
{
  TVMFFIObject *dict = make_tens("ffi.Dict", 2), *other = make_tens("ffi.Dict", 3);
  MapBytes *mine = map_bytes(dict), *theirs = map_bytes(other);
  mine->data = theirs->data;
  mine->size = 3;
  mine->slots = theirs->slots;
  mine->data_deleter = release_whole;
  theirs->data = NULL;
  theirs->size = theirs->slots = 0;
  for (int i = 0; i < _i; ++i) {
    call_void("ffi.DictSetItem", ARGS(view_object(dict), view_int(100 + i), view_int(i)));
  }
  ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(view_object(dict), view_int(2))), 20);
  expect_map_in_order(dict, NULL);
  if (_i % 2 == 0) call_void("ffi.DictClear", ARGS(view_object(dict)));
  TVMFFIObjectDecRef(dict);
}

//--------------------------------------------------------------------------------------------------
// Code that uses the dict while it is being changed
//--------------------------------------------------------------------------------------------------

static TVMFFIObject *used;

static void use_dict(void *handle)
{
  TVMFFIAny self = view_object(used);
  for (int i = 0; i < 30; ++i) {
    call_void("ffi.DictSetItem", ARGS(self, view_int(1000 + i), view_int(i)));
  }
  call_void("ffi.DictErase", ARGS(self, view_int(1)));
  if (handle != NULL) call_void("ffi.DictClear", ARGS(self));
}

TEST(releasing_may_run_code_that_uses_the_dict, .rows = 12)
{
  used = make_tens("ffi.Dict", _i % 2 == 0 ? 3 : 40);
  TVMFFIAny self = view_object(used);
  TVMFFIObjectHandle user = NULL;
  ck_assert_int_eq(
      TVMFFIObjectCreateOpaque(_i % 4 < 2 ? NULL : used, kTVMFFIOpaquePyObject, use_dict, &user),
      0);
  call_void("ffi.DictSetItem", ARGS(self, view_int(2), view_rvalue(&user)));
  if (_i / 4 == 0) call_void("ffi.DictSetItem", ARGS(self, view_int(2), view_int(0)));
  if (_i / 4 == 1) call_void("ffi.DictErase", ARGS(self, view_int(2)));
  if (_i / 4 == 2) call_void("ffi.DictClear", ARGS(self));
  expect_map_in_order(used, NULL);
  ck_assert_int_eq(call_int("ffi.DictSize", ARGS(self)) >= 30, _i % 4 < 2);
  TVMFFIObjectDecRef(used);
}

TEST(want_of_memory_is_reported, .rows = 2)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIAny object = view_object(&probe), text = view_str("longer than seven");
  drop(call_with_faults(makers[_i], ARGS(object, text, text, object, view_int(1), object,
                                         view_int(2), text, view_int(3), text, view_int(4), text)));
  expect_counts(&probe, 1, 1);
  TVMFFIObject *map = call_object(makers[_i], ARGS(object, object));
  drop(call_with_faults(walks[_i], ARGS(view_object(map))));
  drop(call_with_faults("ffi.DictErase", ARGS(view_object(map), view_int(5))));
  TVMFFIObjectDecRef(map);
  expect_counts(&probe, 1, 1);
}

TEST(want_of_memory_leaves_a_dict_as_it_was)
{
  static Model model;
  TVMFFIObject *dict = call_object("ffi.Dict", NO_ARGS);
  model.count = 0;
  int refused = 0;
  for (int64_t i = 0; i < 200; ++i) {
    TVMFFIObjectHandle set = NULL;
    TVMFFIAny result = view_none(), args[] = {view_object(dict), view_int(i), view_int(i)};
    ck_assert_int_eq(TVMFFIFunctionGetGlobal(BYTES("ffi.DictSetItem"), &set), 0);
    faults_arm(1);
    int code = TVMFFIFunctionCall(set, args, 3, &result);
    if (faults_disarm()) {
      ck_assert_int_eq(code, -1);
      expect_raised("InternalError", "memory");
      expect_as_model(dict, &model);
      call_void("ffi.DictSetItem", args, 3);
      ++refused;
    }
    model_set(&model, i, i);
    expect_as_model(dict, &model);
    TVMFFIObjectDecRef(set);
  }
  ck_assert_int_ge(refused, 5);
  TVMFFIObjectDecRef(dict);
}
