// SPDX-License-Identifier: Apache-2.0
// Maps and dicts: keys that lead to values, in order. Up to four entries lie in a row, more in a
// table of slots. Both layouts are part of the ABI: compiled code looks up and changes entries by
// itself, so the layout of a map is whatever its slots say at the moment.
#ifndef REFERENCE_SRC_CONTAINER_MAP_H_
#define REFERENCE_SRC_CONTAINER_MAP_H_

#include <stdbool.h>
#include <tvm/ffi/c_api.h>

#include "container/key.h"
#include "core/nest.h"

typedef struct {
  TVMFFIAny key;
  TVMFFIAny value;
} MapEntry;

#define MAP_SMALL ((uint64_t)1 << 63)  // in the slots of a map whose entries lie in a row
#define MAP_SMALL_MAX 4                // entries
#define MAP_NOWHERE UINT64_MAX         // a position where no entry is

typedef struct {
  TVMFFIObject header;
  void *data;
  uint64_t size;                 // entries
  uint64_t slots;                // MAP_SMALL and the capacity, or the number of slots
  void (*data_deleter)(void *);  // of what lies outside the object, else NULL
  union {
    MapEntry entries[MAP_SMALL_MAX];
    struct {
      uint32_t shift;  // 64 less the binary logarithm of the number of slots
      uint64_t first, last;
    } dense;
  };
} MapObject;

_Static_assert(sizeof(void *) < 8 ||
                   (offsetof(MapObject, entries) == 56 && offsetof(MapObject, dense.last) == 72),
               "compiled code knows these offsets");

static inline bool map_is_small(const MapObject *map)
{
  return (map->slots & MAP_SMALL) != 0;  // CON-43, CON-44, CON-52
}

// Makes a map or dict, by its type index, with room for `count` entries and none in it.
// Returns own; NULL if there is no memory.
MapObject *map_new(int32_t type_index, uint64_t count);

// Makes a dict with the entries of a map. Returns own; NULL with an error.
TVMFFIObject *map_copy_to_dict(TVMFFIObject *object);

// Finds a key. The position is MAP_NOWHERE if it isn't there, and good until the map changes.
// Returns 0; -1 with an error if a comparison or hash of foreign code failed.
int map_find(const MapObject *map, Key *key, uint64_t *position);

// Returns the entry at a position, NULL if there is none (any more). Borrow: until the map changes.
MapEntry *map_entry(const MapObject *map, uint64_t position);

// Return the position of the first entry, and of the one behind another.
uint64_t map_first(const MapObject *map);
uint64_t map_next(const MapObject *map, uint64_t position);

// Sets the value of a key.
// entry: own. On success it is replaced by what the map no longer needs, to be released by the
// caller. Returns 0; -1 with an error, and map and entry are what they were.
int map_set(MapObject *map, MapEntry *entry);

// Adds an entry whose key was looked for and isn't there: nothing has run since that could have
// put it in.
// key: as map_find has left it, of entry->key. entry: own, on success. Returns 0; -1 with an error.
int map_add(MapObject *map, Key *key, const MapEntry *entry);

// Adds an entry to a map that was made with room for it, no more than MAP_SMALL_MAX, and has no such
// key.
// key, value: own.
static inline void map_append(MapObject *map, const TVMFFIAny *key, const TVMFFIAny *value)
{
  MapEntry *entry = &map->entries[map->size++];
  entry->key = *key;
  entry->value = *value;
}

// Removes the entry of a key.
// entry: own, what was removed; two None if the key isn't there. Returns 0; -1 with an error.
int map_erase(MapObject *map, Key *key, MapEntry *entry);

// Removes and releases all entries.
void map_clear(MapObject *map);

// Drops what a dead map or dict holds.
void map_end(TVMFFIObject *object, Nest *nest);

#endif  // REFERENCE_SRC_CONTAINER_MAP_H_
