// SPDX-License-Identifier: Apache-2.0
// The table of slots of a large map.
#ifndef REFERENCE_SRC_CONTAINER_MAP_DENSE_H_
#define REFERENCE_SRC_CONTAINER_MAP_DENSE_H_

#include "container/map.h"

typedef enum {
  MAP_DENSE_FAILED = -1,  // foreign code that computes a hash or compares has raised an error
  MAP_DENSE_DONE = 0,
  MAP_DENSE_FULL,  // there is no slot for the entry where it could be found
  MAP_DENSE_NO_MEMORY,
} MapDenseStatus;

// Returns how many slots a map of this many entries has.
uint64_t map_dense_slots(uint64_t count);

// Gives a map, whose own fields are overwritten, a table of empty slots. False if there is no
// memory.
bool map_dense_make(MapObject *map, uint64_t slots);

// Returns the entry of a slot; NULL if it holds none. Borrow: until the map changes.
MapEntry *map_dense_entry(const MapObject *map, uint64_t slot);

// Returns the slot behind this one in order, which must hold an entry; MAP_NOWHERE at the end.
uint64_t map_dense_next(const MapObject *map, uint64_t slot);

// Finds a key, whose hash is known. Stores its slot, or MAP_NOWHERE.
MapDenseStatus map_dense_find(const MapObject *map, const Key *key, uint64_t *slot);

// Adds an entry behind all others. Its key, of this hash, must not be there yet.
// entry: own, on success. If the table is full nothing has changed.
MapDenseStatus map_dense_insert(MapObject *map, uint64_t hash, const MapEntry *entry);

// Empties a slot that holds the entry of a key of this hash. The entry is the caller's.
void map_dense_remove(MapObject *map, uint64_t hash, uint64_t slot);

// Raises RuntimeError: foreign code has changed a map that it was to compute or compare for.
// Returns MAP_DENSE_FAILED.
MapDenseStatus map_dense_changed(void);

// Makes all slots empty; nothing is released.
void map_dense_wipe(MapObject *map);

#endif  // REFERENCE_SRC_CONTAINER_MAP_DENSE_H_
