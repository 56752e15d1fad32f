// SPDX-License-Identifier: Apache-2.0
// Maps, and dicts where they are the same: what they are made of, look-ups, order.
#include <stdio.h>

#include "cases/runtime/container_map.h"

CHAPTER(container);

// --- Made ----------------------------------------------------------------------------------------

static void keys_lead_to_their_values(Iut *iut, const MapKind *kind)
{
  TVMFFIAny text = new_text(iut, kTVMFFIStr, "longer than a small one");
  TVMFFIAny keys[] = {any_none(),         view_of_int(-5),           view_of_bool(false),
                      view_of_float(2.5), view_of_small_string("k"), text,
                      view_of_int(6)};
  ExpectedCounts before = counts_of(iut, text.v_obj);
  enum { MOST = sizeof keys / sizeof keys[0] };
  TVMFFIAny args[2 * MOST];
  for (int count = 0; count <= MOST; ++count) {
    note("%d entries", count);
    for (int i = 0; i < count; ++i) args[2 * i] = keys[i], args[2 * i + 1] = view_of_int(100 + i);
    TVMFFIAny *fenced = fenced_args(args, 2 * (size_t)count);
    TVMFFIAny map = value_of(iut, kind->make, fenced, 2 * (size_t)count);
    expect_gives(iut, view_of_int(count), kind->size, VALUES(map));
    for (int i = 0; i < MOST; ++i) {
      if (i < count)
        expect_entry(iut, kind, map, keys[i], view_of_int(100 + i));
      else
        expect_gives(iut, view_of_int(0), kind->count, VALUES(map, keys[i]));
    }
    release_any(iut, &map);
  }
  expect_counts_added(iut, text.v_obj, before, 0);
  release_any(iut, &text);
}

static void last_of_equal_keys_counts(Iut *iut, const MapKind *kind)
{
  TVMFFIObjectHandle first = new_probe_object(iut), last = new_probe_object(iut);
  for (int others = 0; others <= 12; others += 4) {
    note("with %d other keys", others);
    TVMFFIAny args[30], key = view_of_small_string("same");
    size_t count = 0;
    for (int i = 0; i < 2 * others; ++i) args[count++] = view_of_int(i);
    TVMFFIAny twice[] = {key, view_of_object(iut, first), key, view_of_object(iut, last)};
    memcpy(&args[count], twice, sizeof twice);
    TVMFFIAny map = value_of(iut, kind->make, args, count + 4);
    expect_gives(iut, view_of_int(others + 1), kind->size, VALUES(map));
    expect_counts(iut, first, .strong = 1, .weak = 1);
    TVMFFIAny value = value_of(iut, kind->get, VALUES(map, key));
    expect_pointer("value of the key", value.v_obj, last);
    release_any(iut, &value);
    release_any(iut, &map);
    expect_counts(iut, last, .strong = 1, .weak = 1);
  }
}

static void key_without_value_is_refused(Iut *iut, const MapKind *kind)
{
  TVMFFIAny args[15];
  for (int i = 0; i < 15; ++i) args[i] = view_of_int(i);
  for (size_t count = 1; count < 16; count += 2) {
    note("%zu arguments", count);
    expect_refused(iut, "InternalError", kind->make, args, count);
    TVMFFIAny map = value_of(iut, kind->make, args, count - 1);
    release_any(iut, &map);
  }
}

CASE(map_leads_from_keys_to_values, .clauses = {CON_31, CON_34},
     .title = "maps of 0 to 7 keys of any type, None among them, lead from each to its value")
{
  keys_lead_to_their_values(iut, &the_map);
}

CASE(last_value_of_a_key_counts, .clauses = {CON_33},
     .title =
         "a key that a map is made of twice is there once, with the last value, and the first is "
         "released")
{
  last_of_equal_keys_counts(iut, &the_map);
}

static const struct {
  const char *name;
  const MapKind *kind;
} map_kinds[] = {{"map", &the_map}, {"dict", &the_dict}};

CASE_ROWS(odd_number_of_arguments_is_refused, map_kinds, .clauses = {CON_32}, .wrong_call = true,
          .title = "a key without a value raises an InternalError")
{
  key_without_value_is_refused(iut, row->kind);
}

// --- Looked up -----------------------------------------------------------------------------------

static void missing_key_is_an_error(Iut *iut, const MapKind *kind)
{
  for (int count = 0; count <= 8; count += 4) {
    TVMFFIAny args[16];
    for (int i = 0; i < 2 * count; ++i) args[i] = view_of_int(i);
    TVMFFIAny map = value_of(iut, kind->make, args, 2 * (size_t)count);
    note("of %d keys", count);
    ExpectedCounts before = counts_of(iut, map.v_obj);
    expect_no_entry(iut, kind, map, view_of_int(1));
    expect_no_entry(iut, kind, map, view_of_small_string("0"));
    expect_no_entry(iut, kind, map, any_none());
    if (count) expect_entry(iut, kind, map, view_of_int(2), view_of_int(3));
    expect_counts_added(iut, map.v_obj, before, 0);
    release_any(iut, &map);
  }
}

static void missing_key_gives_the_missing_value(Iut *iut, const MapKind *kind)
{
  TVMFFIAny none = any_none(), one = view_of_int(1);
  TVMFFIAny map = value_of(iut, kind->make, VALUES(one, view_of_int(2), view_of_int(3), none));
  TVMFFIObjectHandle missing = object_of(iut, "ffi.GetInvalidObject", VALUES());
  uint64_t strong = object_strong(iut, missing);
  expect_gives(iut, view_of_int(2), kind->get_or_missing, VALUES(map, one));
  expect_gives(iut, none, kind->get_or_missing, VALUES(map, view_of_int(3)));
  TVMFFIAny value = value_of(iut, kind->get_or_missing, VALUES(map, view_of_int(2)));
  expect_type_index(&value, kTVMFFIObject);
  expect_pointer("what a missing key gives", value.v_obj, missing);
  expect_int("strong references to it", (int64_t)object_strong(iut, missing), (int64_t)strong + 1);
  release_any(iut, &value);
  release_object(iut, missing);
  release_any(iut, &map);
}

CASE(missing_key_is_a_key_error, .clauses = {CON_34},
     .title = "looking up a missing key raises a KeyError, in an empty, a small and a larger map")
{
  missing_key_is_an_error(iut, &the_map);
}

CASE(missing_key_can_be_told_from_none, .clauses = {CON_35},
     .title = "ffi.MapGetItemOrMissing gives a value, None among them, or the missing value")
{
  missing_key_gives_the_missing_value(iut, &the_map);
}

// --- Walked through ------------------------------------------------------------------------------

// Keys that are far from sorted, and all different.
static int64_t scattered(int64_t i)
{
  return i * 7919 % 10007 - 5000;
}

static void expect_scattered_entry(Iut *iut, int64_t place, TVMFFIAny key, TVMFFIAny value,
                                   void *context)
{
  TVMFFIAny expected_key = view_of_int(scattered(place)), expected_value = view_of_int(place);
  bool *good = context;
  *good =
      *good && expect_same_bytes(&key, &expected_key) && expect_same_bytes(&value, &expected_value);
  release_any(iut, &key);
  release_any(iut, &value);
}

enum { MANY = 2000 };

// Own: a map of `count` entries with scattered keys.
static TVMFFIAny new_scattered(Iut *iut, const MapKind *kind, int64_t count)
{
  static TVMFFIAny args[2 * MANY];
  for (int64_t i = 0; i < count; ++i) {
    args[2 * i] = view_of_int(scattered(i));
    args[2 * i + 1] = view_of_int(i);
  }
  return value_of(iut, kind->make, args, 2 * (size_t)count);
}

static void walk_is_in_order(Iut *iut, const MapKind *kind)
{
  static const int64_t sizes[] = {1, 2, 4, 5, 16, 17, 100, 1000};
  for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    note("%" PRId64 " entries", sizes[i]);
    bool good = true;
    TVMFFIAny map = new_scattered(iut, kind, sizes[i]);
    expect_walk(iut, kind, map, sizes[i], expect_scattered_entry, &good);
    release_any(iut, &map);
  }
}

CASE(walk_goes_in_the_order_of_entry, .clauses = {CON_36},
     .title =
         "walking through maps of 1 to 1000 entries gives them in the order in which they came, "
         "and then ends")
{
  walk_is_in_order(iut, &the_map);
}

// --- Many ----------------------------------------------------------------------------------------

// Calls without recording each success. Own: the result.
static TVMFFIAny quick(Iut *iut, TVMFFIObjectHandle function, TVMFFIAny first, TVMFFIAny second)
{
  TVMFFIAny args[] = {first, second}, result = any_none();
  iut->FunctionCall(function, args, 2, &result);
  return result;
}

static void many_integers_lead_to_their_values(Iut *iut, const MapKind *kind)
{
  TVMFFIAny map = new_scattered(iut, kind, MANY);
  TVMFFIObjectHandle get = registered(iut, kind->get), count = registered(iut, kind->count);
  for (int64_t i = 0; i < MANY; ++i) {
    TVMFFIAny value = quick(iut, get, map, view_of_int(scattered(i)));
    if (value.type_index != kTVMFFIInt || value.v_int64 != i)
      expect_int("value of a key", value.v_int64, i);
  }
  for (int64_t i = 0; i < MANY; ++i)
    if (quick(iut, count, map, view_of_int(6000 + i)).v_int64 != 0)
      expect_int("count of a key that is not there", 1, 0);
  expect_gives(iut, view_of_int(MANY), kind->size, VALUES(map));
  release_object(iut, get);
  release_object(iut, count);
  release_any(iut, &map);
}

// Texts that differ in the last of 12 bytes, or of 4.
static void many_texts_lead_to_their_values(Iut *iut, const MapKind *kind)
{
  static TVMFFIAny args[2 * MANY];
  static char texts[MANY][16];
  for (int i = 0; i < MANY; ++i) {
    snprintf(texts[i], sizeof texts[i], i % 2 ? "%04d" : "conform.%04d", i);
    args[2 * i] = view_of_raw_string(texts[i]);
    args[2 * i + 1] = view_of_int(i);
  }
  TVMFFIAny map = value_of(iut, kind->make, args, 2 * MANY);
  TVMFFIObjectHandle get = registered(iut, kind->get), count = registered(iut, kind->count);
  for (int i = 0; i < MANY; ++i) {
    TVMFFIAny value = quick(iut, get, map, args[2 * i]);
    if (value.type_index != kTVMFFIInt || value.v_int64 != i)
      expect_int("value of a key", value.v_int64, i);
    snprintf(texts[i], sizeof texts[i], i % 2 ? "conform.%04d" : "%04d", i);
    if (quick(iut, count, map, args[2 * i]).v_int64 != 0)
      expect_int("count of a key that is not there", 1, 0);
  }
  expect_gives(iut, view_of_int(MANY), kind->size, VALUES(map));
  release_object(iut, get);
  release_object(iut, count);
  release_any(iut, &map);
}

CASE(thousands_of_integers_are_found, .clauses = {CON_37},
     .title = "a map of 2000 integers finds the value of each, and no other key")
{
  many_integers_lead_to_their_values(iut, &the_map);
}

CASE(thousands_of_texts_are_found, .clauses = {CON_37},
     .title = "a map of 2000 strings finds the value of each, and no other key")
{
  many_texts_lead_to_their_values(iut, &the_map);
}

// --- Dicts ---------------------------------------------------------------------------------------

static const struct {
  const char *name;
  void (*body)(Iut *iut, const MapKind *kind);
} promises[] = {
    {"keys-lead-to-their-values", keys_lead_to_their_values},
    {"last-of-equal-keys-counts", last_of_equal_keys_counts},
    {"missing-key-is-an-error", missing_key_is_an_error},
    {"missing-key-gives-the-missing-value", missing_key_gives_the_missing_value},
    {"walk-is-in-order", walk_is_in_order},
    {"many-integers", many_integers_lead_to_their_values},
    {"many-texts", many_texts_lead_to_their_values},
};

CASE_ROWS(dict_is_read_like_a_map, promises, .clauses = {CON_46},
          .title = "a dict finds its keys and values as a map does")
{
  row->body(iut, &the_dict);
}
