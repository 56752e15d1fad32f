// SPDX-License-Identifier: Apache-2.0
// Where the entries of maps and dicts lie. What is read here is what the library wrote, so nothing
// in it is trusted.
#include "cases/runtime/container_layout.h"

#include <stdio.h>

CHAPTER(container);

enum { MOST = 3000 };

// --- The maps ------------------------------------------------------------------------------------

static TVMFFIAny keys[MOST], args[2 * MOST];
static char texts[MOST][40];
static TVMFFIByteArray arrays[MOST];

// A key of every kind in turn; the sixth is an object.
static TVMFFIAny mixed_key(Iut *iut, int i)
{
  switch (i % 7) {
    case 0:
      return view_of_int(i * INT64_C(0x10000001));
    case 1:
      return view_of_float(i / 8.0);
    case 2:
      snprintf(texts[i], sizeof texts[i], "s%d", i);
      return view_of_raw_string(texts[i]);
    case 3:
      snprintf(texts[i], sizeof texts[i], "longer than a small %d", i % 1000);
      return view_of_raw_string(texts[i]);
    case 4:
      snprintf(texts[i], sizeof texts[i], "%d bytes, %s", i, i % 2 ? "" : "not small");
      arrays[i] = (TVMFFIByteArray){texts[i], strlen(texts[i]) % 15};
      return view_of_byte_array(&arrays[i]);
    case 5:
      return view_of_object(iut, new_probe_object(iut));
    default:
      return i < 7 ? any_none() : view_of_bits(kTVMFFIDevice, (uint64_t)i << 32 | 2);
  }
}

typedef struct MapRow {
  const char *name;
  const char *maker;
  int count;   // of entries it is made of
  bool mixed;  // keys of all kinds, else integers
  int erased;  // then this many are erased from its beginning
  int added;   // and this many are set one by one
} MapRow;

// Own: a map of the row; `keys` holds what is then in it, in the order of iteration.
static TVMFFIObjectHandle new_map(Iut *iut, const MapRow *row)
{
  int all = row->count + row->added;
  for (int i = 0; i < all; ++i) {
    keys[i] = row->mixed ? mixed_key(iut, i) : view_of_int(i * INT64_C(1000003));
    args[2 * i] = keys[i];
    args[2 * i + 1] = view_of_int(i);
  }
  TVMFFIObjectHandle map = object_of(iut, row->maker, args, 2 * (size_t)row->count);
  TVMFFIAny view = view_of_object(iut, map);
  for (int i = 0; i < row->erased; ++i) value_of(iut, "ffi.DictErase", VALUES(view, keys[i]));
  for (int i = row->count; i < all; ++i)
    value_of(iut, "ffi.DictSetItem", VALUES(view, keys[i], view_of_int(i)));
  memmove(keys, keys + row->erased, (size_t)(all - row->erased) * sizeof keys[0]);
  return map;
}

// The `place`-th entry is what it must be: its value says so, and its key where it is plain.
static bool expect_entry_at(const MapRow *row, int64_t place, const TVMFFIAny *key,
                            const TVMFFIAny *value)
{
  TVMFFIAny number = view_of_int(row->erased + place);
  bool good = expect_same_bytes(value, &number);
  if (keys[place].type_index < kTVMFFIRawStr) return good && expect_same_bytes(key, &keys[place]);
  return good;
}

// --- Small ---------------------------------------------------------------------------------------

static const MapRow small_maps[] = {
    {"empty-map", "ffi.Map", 0, false, 0, 0},   {"map-of-one", "ffi.Map", 1, true, 0, 0},
    {"map-of-two", "ffi.Map", 2, true, 0, 0},   {"map-of-three", "ffi.Map", 3, true, 0, 0},
    {"map-of-four", "ffi.Map", 4, true, 0, 0},  {"dict-of-one", "ffi.Dict", 1, false, 0, 0},
    {"dict-grown", "ffi.Dict", 0, false, 0, 4}, {"dict-changed", "ffi.Dict", 3, true, 2, 2},
};

CASE_ROWS(small_map_lies_in_a_row, small_maps, .clauses = {CON_43},
          .title =
              "the entries of a small map lie in a row, key and value, in the order in which "
              "they came")
{
  TVMFFIObjectHandle map = new_map(iut, row);
  MapBody *body = map_body(iut, map);
  int64_t count = row->count - row->erased + row->added;
  if (!map_is_small(body))
    case_not_concerned("the library keeps %" PRId64 " entries in a dense map", count);
  uint64_t room = body->slots & ~MAP_SMALL;
  require(expect_int("size of the map", (int64_t)body->size, count));
  expect_that(room >= body->size, "room for no fewer entries than there are",
              "room for %" PRIu64 " of %" PRIu64, room, body->size);
  const MapEntry *entries = body->data;
  for (int64_t i = 0; i < count; ++i) {
    note("entry %" PRId64, i);
    expect_entry_at(row, i, &entries[i].key, &entries[i].value);
  }
  release_object(iut, map);
}

static const struct {
  const char *name;
  const char *maker;
} makers[] = {{"map", "ffi.Map"}, {"dict", "ffi.Dict"}};

CASE_ROWS(more_than_four_entries_are_not_small, makers, .clauses = {CON_43},
          .title = "a map marked as small has at most four entries")
{
  for (int count = 3; count <= 40; ++count) {
    MapRow plain = {.maker = row->maker, .count = count};
    TVMFFIObjectHandle map = new_map(iut, &plain);
    MapBody *body = map_body(iut, map);
    expect_int("size of the map", (int64_t)body->size, count);
    if (count > 4)
      expect_that(!map_is_small(body), "a dense map", "a small map of %d entries", count);
    release_object(iut, map);
  }
}

// --- Dense ---------------------------------------------------------------------------------------

static const MapRow dense_maps[] = {
    {"map-of-five", "ffi.Map", 5, false, 0, 0},
    {"map-of-16", "ffi.Map", 16, true, 0, 0},
    {"map-of-17", "ffi.Map", 17, false, 0, 0},
    {"map-of-100-mixed", "ffi.Map", 100, true, 0, 0},
    {"map-of-3000-mixed", "ffi.Map", MOST, true, 0, 0},
    {"dict-of-100-mixed", "ffi.Dict", 100, true, 0, 0},
    {"dict-grown-to-300", "ffi.Dict", 2, true, 0, 298},
    {"dict-shrunk", "ffi.Dict", 100, true, 60, 0},
    {"dict-shrunk-and-grown", "ffi.Dict", 100, false, 70, 90},
};

// The body of the row's map, which is dense.
static MapBody *dense_body(Iut *iut, const MapRow *row, TVMFFIObjectHandle map)
{
  MapBody *body = map_body(iut, map);
  if (map_is_small(body)) {
    expect_that(body->size <= 4, "at most four entries in a small map", "%" PRIu64, body->size);
    case_not_concerned("the library makes no dense map of this");
  }
  require(
      expect_int("size of the map", (int64_t)body->size, row->count - row->erased + row->added));
  return body;
}

CASE_ROWS(dense_map_is_linked_in_order, dense_maps, .clauses = {CON_44},
          .title =
              "the items of a dense map are linked from the first to the last and back, in the "
              "order in which they came")
{
  TVMFFIObjectHandle map = new_map(iut, row);
  MapBody *body = dense_body(iut, row, map);
  uint64_t slot = body->first, before = MAP_NONE;
  for (int64_t i = 0; i < (int64_t)body->size; ++i) {
    note("entry %" PRId64 " of %" PRIu64, i, body->size);
    require(expect_that(map_slot_is_used(body, slot), "the index of a slot that is in use",
                        "index %#" PRIx64 " of %" PRIu64 " slots", slot, body->slots));
    MapItem *item = map_item(body, slot);
    require(expect_entry_at(row, i, &item->key, &item->value));
    require(expect_hex("index of the item before", item->previous, before));
    before = slot;
    slot = item->next;
  }
  expect_hex("index behind the last item", slot, MAP_NONE);
  expect_hex("index of the last item", body->last, before);
  release_object(iut, map);
}

// Every entry is in its chain, and no other slot is in use.
static void expect_chains(const Iut *iut, const MapBody *body)
{
  uint64_t used = 0;
  for (uint64_t slot = 0; slot < body->slots; ++slot) {
    if (!map_slot_is_used(body, slot)) continue;
    const TVMFFIAny *key = &map_item(body, slot)->key;
    note("the key at slot %" PRIu64 ", of type index %d", slot, key->type_index);
    require(expect_in_chain(body, map_hash(iut, key), slot));
    ++used;
  }
  expect_int("slots in use", (int64_t)used, (int64_t)body->size);
}

CASE_ROWS(dense_map_has_chains_of_hashes, dense_maps, .clauses = {CON_45},
          .title =
              "each entry of a dense map stands in the chain of the hash of its key, and the "
              "slots that say they are in use are those of the entries")
{
  TVMFFIObjectHandle map = new_map(iut, row);
  MapBody *body = dense_body(iut, row, map);
  require(expect_that(__builtin_popcountll(body->slots) == 1, "a power of two as number of slots",
                      "%" PRIu64, body->slots));
  require(expect_int("shift", body->shift, __builtin_clzll(body->slots) + 1));
  expect_chains(iut, body);
  release_object(iut, map);
}

// Integers whose chains begin at few slots, however many there are.
static void choose_crowded_keys(const Iut *iut, TVMFFIAny *crowded, int count)
{
  static const uint64_t starts[] = {40, 41, 42, 45};  // of 256
  MapBody body = {.shift = 56};
  int64_t number = 0;
  for (int i = 0; i < count; ++i) {
    do {
      crowded[i] = view_of_int(++number);
    } while (map_first_slot(&body, map_hash(iut, &crowded[i])) != starts[i % 4]);
  }
}

enum { CROWD = 48, CHANGES = 1200 };

CASE(chains_stay_whole_while_keys_come_and_go, .clauses = {CON_45, CON_50, CON_48},
     .title =
         "a dict whose keys crowd into few chains holds what it should, in the right chains, "
         "after each of 1200 changes")
{
  TVMFFIAny crowded[CROWD], dict = value_of(iut, "ffi.Dict", VALUES());
  bool held[CROWD] = {false};
  TVMFFIObjectHandle counts = registered(iut, "ffi.DictCount");
  MapBody *body = map_body(iut, dict.v_obj);
  int64_t size = 0;
  uint32_t chance = 1;
  choose_crowded_keys(iut, crowded, CROWD);
  for (int change = 0; change < CHANGES; ++change) {
    chance = chance * 1664525 + 1013904223;
    int place = (int)((chance >> 16) % CROWD);
    held[place] = !held[place];
    size += held[place] ? 1 : -1;
    if (held[place])
      value_of(iut, "ffi.DictSetItem", VALUES(dict, crowded[place], view_of_int(place)));
    else
      value_of(iut, "ffi.DictErase", VALUES(dict, crowded[place]));
    require(expect_int("size of the dict", (int64_t)body->size, size));
    if (!map_is_small(body)) expect_chains(iut, body);
    for (int i = 0; i < CROWD; ++i) {
      TVMFFIAny found = any_none();
      iut->FunctionCall(counts, VALUES(dict, crowded[i]), &found);
      if (found.v_int64 != held[i])
        require(expect_that(false, held[i] ? "a key that is found" : "a key that is not found",
                            "the opposite, for key %d after change %d", i, change));
    }
  }
  release_object(iut, counts);
  release_any(iut, &dict);
}
