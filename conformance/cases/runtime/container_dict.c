// SPDX-License-Identifier: Apache-2.0
// Dicts: setting and taking out.
#include "cases/runtime/container_map.h"

CHAPTER(container);

// Own: a dict of the keys 0, 1, 2, ..., at most 20, with ten times as much as values.
static TVMFFIAny new_tens(Iut *iut, int count)
{
  TVMFFIAny args[40];
  for (int i = 0; i < count; ++i)
    args[2 * i] = view_of_int(i), args[2 * i + 1] = view_of_int(10 * i);
  return value_of(iut, "ffi.Dict", args, 2 * (size_t)count);
}

typedef struct Keys {
  int64_t count;
  int64_t keys[40];
} Keys;

static void expect_key(Iut *iut, int64_t place, TVMFFIAny key, TVMFFIAny value, void *context)
{
  Keys *expected = context;
  expect_int("a key on the walk", key.v_int64, expected->keys[place]);
  release_any(iut, &value);
}

// The dict has these keys, in this order.
static void expect_keys(Iut *iut, TVMFFIAny dict, Keys expected)
{
  expect_gives(iut, view_of_int(expected.count), "ffi.DictSize", VALUES(dict));
  if (expected.count) expect_walk(iut, &the_dict, dict, expected.count, expect_key, &expected);
}

static const struct {
  const char *name;
  int count;
} sizes[] = {{"small", 3}, {"full-small", 4}, {"dense", 12}};

CASE_ROWS(dict_is_changed_in_place, sizes, .clauses = {CON_47},
          .title =
              "a dict that grows far beyond its memory and is emptied keeps its counts, and all "
              "holders see the change")
{
  TVMFFIAny dict = new_tens(iut, row->count);
  iut->ObjectIncRef(dict.v_obj);
  object_take_weak(iut, dict.v_obj);
  for (int i = 0; i < 200; ++i) {
    value_of(iut, "ffi.DictSetItem", VALUES(dict, view_of_int(100 + i), view_of_int(i)));
    require(expect_counts(iut, dict.v_obj, .strong = 2, .weak = 2));
  }
  for (int i = 0; i < row->count; ++i)
    expect_entry(iut, &the_dict, dict, view_of_int(i), view_of_int(10 * i));
  expect_entry(iut, &the_dict, dict, view_of_int(299), view_of_int(199));
  value_of(iut, "ffi.DictErase", VALUES(dict, view_of_int(150)));
  expect_gives(iut, view_of_int(row->count + 199), "ffi.DictSize", VALUES(dict));
  value_of(iut, "ffi.DictClear", VALUES(dict));
  expect_counts(iut, dict.v_obj, .strong = 2, .weak = 2);
  expect_gives(iut, view_of_int(0), "ffi.DictSize", VALUES(dict));
  release_object(iut, dict.v_obj);
  object_release_weak(iut, dict.v_obj);
  release_any(iut, &dict);
}

CASE(growing_dict_holds_all_at_every_step, .clauses = {CON_48},
     .title =
         "while 100 keys are set one by one, each can be found, and they come in the order of "
         "setting")
{
  TVMFFIAny dict = new_tens(iut, 0);
  for (int64_t i = 0; i < 100; ++i) {
    note("setting key %" PRId64, i);
    value_of(iut, "ffi.DictSetItem", VALUES(dict, view_of_int(i * 31), view_of_int(i)));
    require(expect_gives(iut, view_of_int(i + 1), "ffi.DictSize", VALUES(dict)));
    int64_t early = i / 2;
    require(expect_entry(iut, &the_dict, dict, view_of_int(early * 31), view_of_int(early)));
    require(expect_entry(iut, &the_dict, dict, view_of_int(i * 31), view_of_int(i)));
  }
  Keys expected = {.count = 20};
  for (int i = 0; i < 80; ++i) value_of(iut, "ffi.DictErase", VALUES(dict, view_of_int(i * 31)));
  for (int i = 0; i < 20; ++i) expected.keys[i] = (80 + i) * 31;
  expect_keys(iut, dict, expected);
  release_any(iut, &dict);
}

CASE_ROWS(set_value_replaces_and_releases, sizes, .clauses = {CON_48},
          .title =
              "setting an entry owns the new value and releases the one before it; a new key "
              "comes last")
{
  TVMFFIObjectHandle probe = new_probe_object(iut), next = new_probe_object(iut);
  TVMFFIAny dict = new_tens(iut, row->count), key = view_of_int(1);
  value_of(iut, "ffi.DictSetItem", VALUES(dict, key, view_of_object(iut, probe)));
  expect_counts(iut, probe, .strong = 2, .weak = 1);
  value_of(iut, "ffi.DictSetItem", VALUES(dict, key, view_of_object(iut, probe)));
  expect_counts(iut, probe, .strong = 2, .weak = 1);
  value_of(iut, "ffi.DictSetItem", VALUES(dict, key, view_of_object(iut, next)));
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  expect_counts(iut, next, .strong = 2, .weak = 1);
  value_of(iut, "ffi.DictSetItem", VALUES(dict, view_of_int(99), view_of_object(iut, probe)));
  TVMFFIAny value = value_of(iut, "ffi.DictGetItem", VALUES(dict, key));
  expect_pointer("value of the key that was set", value.v_obj, next);
  release_any(iut, &value);
  TVMFFIObjectHandle walk = object_of(iut, "ffi.DictForwardIterFunctor", VALUES(dict));
  TVMFFIAny last = any_none(), more = view_of_bool(true);
  while (more.v_int64) {
    require(expect_ok(iut, iut->FunctionCall(walk, VALUES(view_of_int(0)), &last)));
    require(expect_ok(iut, iut->FunctionCall(walk, VALUES(view_of_int(2)), &more)));
  }
  expect_int("the last key", last.v_int64, 99);
  release_object(iut, walk);
  release_any(iut, &dict);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  expect_counts(iut, next, .strong = 1, .weak = 1);
}

// The keys but 1, in the order of the walk.
static void note_key(Iut *iut, int64_t place, TVMFFIAny key, TVMFFIAny value, void *context)
{
  Keys *seen = context;
  (void)place;
  if (key.v_int64 != 1 && seen->count < 40) seen->keys[seen->count++] = key.v_int64;
  release_any(iut, &value);
}

CASE_ROWS(replaced_entry_counts_once, sizes, .clauses = {CON_49},
          .title = "replacing a value leaves the number of entries and the order of the others")
{
  TVMFFIAny dict = new_tens(iut, row->count);
  for (int i = 0; i < 10; ++i) {
    value_of(iut, "ffi.DictSetItem", VALUES(dict, view_of_int(1), view_of_int(1000 + i)));
    require(expect_gives(iut, view_of_int(row->count), "ffi.DictSize", VALUES(dict)));
  }
  expect_entry(iut, &the_dict, dict, view_of_int(1), view_of_int(1009));
  Keys seen = {0};
  require(expect_walk(iut, &the_dict, dict, row->count, note_key, &seen));
  expect_int("other keys", seen.count, row->count - 1);
  for (int64_t i = 0; i < seen.count; ++i)
    expect_int("an other key on the walk", seen.keys[i], i ? i + 1 : 0);
  release_any(iut, &dict);
}

// --- Taking out ----------------------------------------------------------------------------------

CASE_ROWS(erased_entry_is_gone, sizes, .clauses = {CON_50},
          .title =
              "erasing the first, an inner and the last entry releases each and leaves the "
              "others in order; a key that is added again comes last")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny dict = new_tens(iut, row->count), object = view_of_object(iut, probe);
  int erased[] = {0, row->count / 2, row->count - 1};
  Keys left = {0};
  for (int i = 0; i < row->count; ++i)
    value_of(iut, "ffi.DictSetItem", VALUES(dict, view_of_int(i), object));
  for (int i = 0; i < row->count; ++i)
    if (i != erased[0] && i != erased[1] && i != erased[2]) left.keys[left.count++] = i;
  for (int i = 0; i < 3; ++i) {
    note("erasing the key %d", erased[i]);
    value_of(iut, "ffi.DictErase", VALUES(dict, view_of_int(erased[i])));
    expect_counts(iut, probe, .strong = (uint64_t)(row->count - i), .weak = 1);
    expect_no_entry(iut, &the_dict, dict, view_of_int(erased[i]));
  }
  expect_keys(iut, dict, left);
  note("adding the first key again");
  value_of(iut, "ffi.DictSetItem", VALUES(dict, view_of_int(0), any_none()));
  left.keys[left.count++] = 0;
  expect_keys(iut, dict, left);
  release_any(iut, &dict);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
}

CASE_ROWS(erasing_a_missing_key_does_nothing, sizes, .clauses = {CON_50},
          .title = "erasing a key that the dict lacks returns 0 and changes nothing")
{
  TVMFFIAny dict = new_tens(iut, row->count);
  Keys expected = {.count = row->count};
  for (int i = 0; i < row->count; ++i) expected.keys[i] = i;
  value_of(iut, "ffi.DictErase", VALUES(dict, view_of_int(77)));
  value_of(iut, "ffi.DictErase", VALUES(dict, view_of_small_string("0")));
  expect_keys(iut, dict, expected);
  value_of(iut, "ffi.DictErase", VALUES(dict, view_of_int(0)));
  expect_gives(iut, view_of_int(row->count - 1), "ffi.DictSize", VALUES(dict));
  release_any(iut, &dict);
}

CASE_ROWS(cleared_dict_is_empty, sizes, .clauses = {CON_50},
          .title = "clearing releases all keys and values, and the dict can be filled again")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny dict = new_tens(iut, row->count), object = view_of_object(iut, probe);
  value_of(iut, "ffi.DictSetItem", VALUES(dict, object, object));
  value_of(iut, "ffi.DictSetItem", VALUES(dict, view_of_int(0), object));
  expect_counts(iut, probe, .strong = 4, .weak = 1);
  value_of(iut, "ffi.DictClear", VALUES(dict));
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  expect_no_entry(iut, &the_dict, dict, view_of_int(0));
  expect_gives(iut, view_of_int(0), "ffi.DictSize", VALUES(dict));
  value_of(iut, "ffi.DictClear", VALUES(dict));
  Keys expected = {.count = 20};
  for (int i = 0; i < 20; ++i) {
    expected.keys[i] = 19 - i;
    value_of(iut, "ffi.DictSetItem", VALUES(dict, view_of_int(19 - i), view_of_int(i)));
  }
  expect_keys(iut, dict, expected);
  release_any(iut, &dict);
}

CASE(dict_survives_thousands_of_changes, .clauses = {CON_50, CON_48},
     .title = "a dict in which keys come and go 4000 times holds what it should at the end")
{
  TVMFFIAny dict = new_tens(iut, 0), none = any_none();
  TVMFFIObjectHandle set = registered(iut, "ffi.DictSetItem"),
                     erase = registered(iut, "ffi.DictErase");
  for (int64_t i = 0; i < 2000; ++i) {
    TVMFFIAny key = view_of_int(i), old = view_of_int(i - 10), result = any_none();
    if (iut->FunctionCall(set, VALUES(dict, key, none), &result) != 0 ||
        iut->FunctionCall(erase, VALUES(dict, old), &result) != 0)
      expect_that(false, "each change succeeds", "change %" PRId64 " failed", i);
  }
  Keys expected = {.count = 10};
  for (int i = 0; i < 10; ++i) expected.keys[i] = 1990 + i;
  expect_keys(iut, dict, expected);
  expect_no_entry(iut, &the_dict, dict, view_of_int(1989));
  release_object(iut, set);
  release_object(iut, erase);
  release_any(iut, &dict);
}
