// SPDX-License-Identifier: Apache-2.0
#include "map_walk.h"

#include <stdlib.h>
#include <string.h>

#include "probe.h"

typedef struct {
  Pair pair;
  uint64_t previous, next;
} Item;

// An assertion of Check's own is a system call, passed or not: too slow for every slot.
#define DEMAND(condition)                                                 \
  do {                                                                    \
    if (!(condition)) ck_abort_msg("a map is not in order: " #condition); \
  } while (0)

int32_t map_hash_type = -1;
uint64_t (*map_hash_of_type)(TVMFFIObjectHandle object);

//--------------------------------------------------------------------------------------------------
// Hash, by the letter of the specification
//--------------------------------------------------------------------------------------------------

static uint64_t combine(uint64_t a, uint64_t b)
{
  return a ^ (b + 0x9e3779b9 + (a << 6) + (a >> 2));
}

static uint64_t hash_bytes(const char *data, size_t size)
{
  uint64_t r = 0;
  for (size_t at = 0; at < size; at += 8) {
    uint64_t w = 0;
    for (size_t i = 0; i < 8 && at + i < size; ++i) w += (uint64_t)(uint8_t)data[at + i] << 8 * i;
    r = (r * UINT64_C(1099511628211) + w) % 2147483647;
  }
  return r;
}

static uint64_t hash_text(const TVMFFIObject *object)
{
  const TVMFFIByteArray *text = (const TVMFFIByteArray *)(object + 1);
  return hash_bytes(text->data, text->size);
}

uint64_t map_hash(const TVMFFIAny *key)
{
  switch (key->type_index) {
    case kTVMFFISmallStr:
      return combine(65, hash_bytes(key->v_bytes, key->small_str_len));
    case kTVMFFISmallBytes:
      return combine(66, hash_bytes(key->v_bytes, key->small_str_len));
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return combine((uint64_t)key->type_index, hash_text(key->v_obj));
    default:
      break;
  }
  if (key->type_index == map_hash_type) {
    return combine((uint64_t)key->type_index, map_hash_of_type(key->v_obj));
  }
  return combine((uint64_t)key->type_index, key->v_uint64);
}

//--------------------------------------------------------------------------------------------------
// Slots
//--------------------------------------------------------------------------------------------------

static const uint64_t far_jumps[] = {
#include "container_jumps.inc"
};

static uint64_t jump_of(unsigned number)
{
  if (number < 16) return number;
  if (number < 83) return (uint64_t)(number - 10) * (number - 9) / 2;
  DEMAND(number - 83 < sizeof far_jumps / sizeof *far_jumps);
  return far_jumps[number - 83];
}

static uint8_t byte_of(TVMFFIObject *map, uint64_t slot)
{
  return ((uint8_t *)map_bytes(map)->data)[slot / 16 * (16 + 16 * 48) + slot % 16];
}

static Item *item_of(TVMFFIObject *map, uint64_t slot)
{
  return (Item *)((uint8_t *)map_bytes(map)->data + slot / 16 * (16 + 16 * 48) + 16) + slot % 16;
}

static void expect_in_chain(TVMFFIObject *map, uint64_t slot)
{
  const MapBytes *bytes = map_bytes(map);
  uint64_t hash = map_hash(&item_of(map, slot)->pair.key);
  uint64_t at = UINT64_C(11400714819323198485) * hash >> bytes->shift;
  DEMAND(byte_of(map, at) < 128);
  for (uint64_t steps = 0; at != slot; ++steps) {
    unsigned jump = byte_of(map, at) & 127;
    DEMAND(jump != 0 && steps < bytes->size);
    at = (at + jump_of(jump)) % bytes->slots;
    DEMAND(byte_of(map, at) >= 128);
    DEMAND(byte_of(map, at) < 254);
  }
}

static void expect_dense_in_order(TVMFFIObject *map, Pair *pairs)
{
  const MapBytes *bytes = map_bytes(map);
  uint64_t count = 0, taken = 0, previous = UINT64_MAX;
  DEMAND(__builtin_popcountll(bytes->slots) == 1);
  DEMAND(bytes->shift == 64 - (uint32_t)__builtin_ctzll(bytes->slots));
  DEMAND(bytes->data_deleter != NULL);
  for (uint64_t slot = bytes->first; slot != UINT64_MAX; slot = item_of(map, slot)->next, ++count) {
    DEMAND(count < bytes->size);
    DEMAND(slot < bytes->slots);
    DEMAND(byte_of(map, slot) < 254);
    DEMAND(item_of(map, slot)->previous == previous);
    expect_in_chain(map, slot);
    if (pairs != NULL) pairs[count] = item_of(map, slot)->pair;
    previous = slot;
  }
  DEMAND(bytes->last == previous);
  DEMAND(count == bytes->size);
  for (uint64_t slot = 0; slot < bytes->slots; ++slot) taken += byte_of(map, slot) != 255;
  DEMAND(taken == count);
}

void expect_map_in_order(TVMFFIObject *map, Pair *pairs)
{
  const MapBytes *bytes = map_bytes(map);
  if (map_is_dense(map)) {
    expect_dense_in_order(map, pairs);
    return;
  }
  DEMAND(bytes->size <= 4);
  DEMAND((bytes->slots & ~MAP_HIGHEST_BIT) >= bytes->size);
  if (pairs != NULL && bytes->size != 0) memcpy(pairs, bytes->data, bytes->size * sizeof *pairs);
}
