// SPDX-License-Identifier: Apache-2.0
// What small and dense maps have in common, and how the one becomes the other. Whatever foreign
// code runs meanwhile, hashes, comparisons and deleters, finds the map in order.
#include "container/map.h"

#include <stdlib.h>
#include <string.h>

#include "container/map_dense.h"
#include "core/any.h"
#include "core/raise.h"

static MapEntry *map_row(const MapObject *map)
{
  return map->data;
}

static uint64_t map_capacity(const MapObject *map)
{
  return map->slots & ~MAP_SMALL;
}

static void map_make_small(MapObject *map, uint64_t capacity)
{
  map->data = map->entries;
  map->size = 0;
  map->slots = MAP_SMALL | capacity;
  map->data_deleter = NULL;
}

//--------------------------------------------------------------------------------------------------
// Beginning and end
//--------------------------------------------------------------------------------------------------

MapObject *map_new(int32_t type_index, uint64_t count)
{
  MapObject *map = malloc(sizeof *map);
  if (map == NULL) return NULL;
  object_init(&map->header, type_index, nest_delete);
  if (count <= MAP_SMALL_MAX) {
    map_make_small(map, count <= 2 ? 2 : MAP_SMALL_MAX);
  } else if (!map_dense_make(map, map_dense_slots(count))) {
    free(map);
    return NULL;
  }
  return map;
}

static void map_release_entry(const MapEntry *entry)
{
  any_release(&entry->key);
  any_release(&entry->value);
}

void map_end(TVMFFIObject *object, Nest *nest)
{
  const MapObject *map = (MapObject *)object;
  if (map_is_small(map)) {
    nest_drop_values(nest, map->data, 2 * map->size);
  } else {
    for (uint64_t slot = 0; slot < map->slots; ++slot) {
      const MapEntry *entry = map_dense_entry(map, slot);
      if (entry != NULL) nest_drop_values(nest, &entry->key, 2);
    }
  }
  if (map->data_deleter != NULL) map->data_deleter(map->data);  // CON-51
}

NEST_START static void map_start(void)
{
  nest_set_end(kTVMFFIMap, map_end, 0);
  nest_set_end(kTVMFFIDict, map_end, 0);
}

//--------------------------------------------------------------------------------------------------
// Looking
//--------------------------------------------------------------------------------------------------

static int map_find_small(const MapObject *map, const Key *key, uint64_t *position)
{
  *position = MAP_NOWHERE;
  for (uint64_t i = 0; map_is_small(map) && i < map->size; ++i) {
    int equal = key_equal(key, &map_row(map)[i].key);
    if (equal < 0) return -1;
    if (equal) {
      *position = i;
      return 0;
    }
  }
  return 0;
}

int map_find(const MapObject *map, Key *key, uint64_t *position)
{
  if (map_is_small(map)) return map_find_small(map, key, position);
  if (key_hash(key) != 0) return -1;
  if (!map_is_small(map)) return map_dense_find(map, key, position) == MAP_DENSE_DONE ? 0 : -1;
  return map_find_small(map, key, position);
}

MapEntry *map_entry(const MapObject *map, uint64_t position)
{
  if (!map_is_small(map)) return map_dense_entry(map, position);
  return position < map->size ? &map_row(map)[position] : NULL;
}

uint64_t map_first(const MapObject *map)
{
  if (map->size == 0) return MAP_NOWHERE;
  return map_is_small(map) ? 0 : map->dense.first;
}

uint64_t map_next(const MapObject *map, uint64_t position)
{
  if (!map_is_small(map)) return map_dense_next(map, position);
  return position + 1 < map->size ? position + 1 : MAP_NOWHERE;
}

//--------------------------------------------------------------------------------------------------
// Taking the content out, so that foreign code finds an empty map while it is worked on
//--------------------------------------------------------------------------------------------------

// Moves the content of a map into one without. Either may be a variable that is no object.
static void map_move(MapObject *from, MapObject *to)
{
  bool is_inside = from->data == from->entries;
  to->data = is_inside ? to->entries : from->data;
  to->size = from->size;
  to->slots = from->slots;
  to->data_deleter = from->data_deleter;
  if (is_inside) {
    memcpy(to->entries, from->entries, from->size * sizeof *from->entries);
  } else {
    to->dense = from->dense;
  }
  from->data = NULL;
  from->data_deleter = NULL;
  from->size = from->slots = 0;
  from->dense.first = from->dense.last = MAP_NOWHERE;
}

static bool map_is_without(const MapObject *map)
{
  return map->slots == 0;
}

// Releases all entries, but leaves them where they are.
static void map_release_entries(const MapObject *map)
{
  if (map_is_small(map)) {
    for (uint64_t i = 0; i < map->size; ++i) map_release_entry(&map_row(map)[i]);
    return;
  }
  for (uint64_t slot = 0; slot < map->slots; ++slot) {
    const MapEntry *entry = map_dense_entry(map, slot);
    if (entry != NULL) map_release_entry(entry);
  }
}

static void map_free_data(const MapObject *map)
{
  if (map->data_deleter != NULL) map->data_deleter(map->data);  // CON-51
}

void map_clear(MapObject *map)
{
  MapObject content;
  map_move(map, &content);
  map_release_entries(&content);
  if (!map_is_without(map)) {  // somebody has put in something new meanwhile
    map_free_data(&content);
    return;
  }
  content.size = 0;
  if (!map_is_small(&content) && !map_is_without(&content)) map_dense_wipe(&content);
  map_move(&content, map);
}

//--------------------------------------------------------------------------------------------------
// Growing
//--------------------------------------------------------------------------------------------------

// Enters all entries of a map into another one, an empty table, without touching their counts.
static MapDenseStatus map_fill(MapObject *table, const MapObject *map)
{
  MapDenseStatus status = MAP_DENSE_DONE;
  const MapEntry *entry;
  for (uint64_t position = map_first(map);
       status == MAP_DENSE_DONE && (entry = map_entry(map, position)) != NULL;
       position = map_next(map, position)) {
    Key key;
    key_read(&entry->key, &key);
    status = key_hash(&key) != 0 ? MAP_DENSE_FAILED : map_dense_insert(table, key.hash, entry);
  }
  return status;
}

// Makes a table of at least this many slots with the entries of a map.
static MapDenseStatus map_make_table(MapObject *table, uint64_t slots, const MapObject *map)
{
  for (;; slots *= 2) {
    if (!map_dense_make(table, slots)) return MAP_DENSE_NO_MEMORY;
    MapDenseStatus status = map_fill(table, map);
    if (status == MAP_DENSE_DONE) return MAP_DENSE_DONE;
    map_free_data(table);
    if (status != MAP_DENSE_FULL) return status;
  }
}

// Gives a map a table of at least this many slots. Its entries move there.
static int map_rebuild(MapObject *map, uint64_t slots)
{
  MapObject content, table;
  map_move(map, &content);
  MapDenseStatus status = map_make_table(&table, slots, &content);
  if (status == MAP_DENSE_DONE) {
    map_free_data(&content);
    map_move(&table, &content);
  }
  if (!map_is_without(map)) {
    if (status == MAP_DENSE_DONE) status = map_dense_changed();
    MapObject others;
    map_move(map, &others);
    map_release_entries(&others);
    map_free_data(&others);
  }
  map_move(&content, map);
  if (status == MAP_DENSE_NO_MEMORY) return raise_out_of_memory();
  return status == MAP_DENSE_DONE ? 0 : -1;
}

//--------------------------------------------------------------------------------------------------
// Changing
//--------------------------------------------------------------------------------------------------

// Adds an entry to a small map. Returns false if there is no room.
static bool map_add_small(MapObject *map, const MapEntry *entry)
{
  if (map->size == map_capacity(map)) {
    // An object of this runtime has room for more than it says at first.
    bool has_room = map->header.deleter == nest_delete && map->data == map->entries;
    if (!has_room || map->size >= MAP_SMALL_MAX) return false;
    map->slots = MAP_SMALL | MAP_SMALL_MAX;
  }
  map_row(map)[map->size++] = *entry;
  return true;
}

int map_add(MapObject *map, Key *key, const MapEntry *entry)
{
  if (map_is_small(map)) {
    if (map_add_small(map, entry)) return 0;
    if (map_rebuild(map, map_dense_slots(map->size + 1)) != 0) return -1;
  }
  if (key_hash(key) != 0) return -1;
  for (;;) {
    switch (map_dense_insert(map, key->hash, entry)) {
      case MAP_DENSE_DONE:
        return 0;
      case MAP_DENSE_FULL:
        if (map_rebuild(map, map->slots == 0 ? map_dense_slots(1) : 2 * map->slots) != 0) return -1;
        break;
      default:
        return -1;
    }
  }
}

int map_set(MapObject *map, MapEntry *entry)
{
  uint64_t position;
  Key key;
  key_read(&entry->key, &key);
  if (map_find(map, &key, &position) != 0) return -1;
  MapEntry *there = map_entry(map, position);
  if (there != NULL) {  // CON-33, CON-48, CON-49
    TVMFFIAny old = there->value;
    there->value = entry->value;
    entry->value = old;
    return 0;
  }
  if (map_add(map, &key, entry) != 0) return -1;
  *entry = (MapEntry){any_none(), any_none()};
  return 0;
}

int map_erase(MapObject *map, Key *key, MapEntry *entry)
{
  uint64_t position;
  *entry = (MapEntry){any_none(), any_none()};
  if (map_find(map, key, &position) != 0) return -1;
  const MapEntry *there = map_entry(map, position);
  if (there == NULL) return 0;  // CON-50
  *entry = *there;
  if (!map_is_small(map)) {
    map_dense_remove(map, key->hash, position);
    return 0;
  }
  --map->size;
  MapEntry *hole = &map_row(map)[position];
  memmove(hole, hole + 1, (map->size - position) * sizeof *hole);
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Copying
//--------------------------------------------------------------------------------------------------

TVMFFIObject *map_copy_to_dict(TVMFFIObject *object)
{
  const MapObject *map = (MapObject *)object;
  MapObject *dict = map_new(kTVMFFIDict, map->size);
  int code = dict == NULL ? raise_out_of_memory() : 0;
  uint64_t position = map_first(map);
  for (const MapEntry *there; code == 0 && (there = map_entry(map, position)) != NULL;
       position = map_next(map, position)) {
    MapEntry entry = {any_share(&there->key), any_share(&there->value)};
    code = map_set(dict, &entry);
    map_release_entry(&entry);
  }
  if (code == 0) return &dict->header;
  if (dict != NULL) object_release(&dict->header);
  return NULL;
}
