// SPDX-License-Identifier: Apache-2.0
// Maps and dicts read as compiled code reads them: by their bytes alone.
#ifndef REFERENCE_TESTS_MAP_WALK_H_
#define REFERENCE_TESTS_MAP_WALK_H_

#include <stdbool.h>
#include <tvm/ffi/c_api.h>

// What follows the header of a map, and of a dense one.
typedef struct {
  TVMFFIObject header;
  void *data;
  uint64_t size, slots;
  void (*data_deleter)(void *);
  uint32_t shift;
  uint64_t first, last;
} MapBytes;

typedef struct {
  TVMFFIAny key, value;
} Pair;

#define MAP_HIGHEST_BIT ((uint64_t)1 << 63)

static inline MapBytes *map_bytes(TVMFFIObject *map)
{
  return (MapBytes *)map;
}

static inline bool map_is_dense(TVMFFIObject *map)
{
  return (map_bytes(map)->slots & MAP_HIGHEST_BIT) == 0;
}

// Returns the hash of a key that is an owned value without a hash of its own.
uint64_t map_hash(const TVMFFIAny *key);

// A hash to be used for all objects of this type, where they have one of their own.
extern int32_t map_hash_type;
extern uint64_t (*map_hash_of_type)(TVMFFIObjectHandle object);

// Checks the layout of a map: all that the chapter on containers says of small and dense ones.
// Copies its entries, in order, to `pairs` if that is not NULL.
void expect_map_in_order(TVMFFIObject *map, Pair *pairs);

#endif  // REFERENCE_TESTS_MAP_WALK_H_
