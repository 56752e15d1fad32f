// SPDX-License-Identifier: Apache-2.0
// The bytes of maps and dicts, as code that was compiled from C++ headers reads and writes them.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_LAYOUT_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_LAYOUT_H_

#include "cases/runtime/container_calling.h"

#define MAP_SMALL (UINT64_C(1) << 63)
#define MAP_NONE UINT64_MAX

enum { MAP_BLOCK = 16, MAP_EMPTY = 255, MAP_PROTECTED = 254 };

// What follows the header of a map or dict. A small one uses the first four fields only.
typedef struct MapBody {
  void *data;
  uint64_t size, slots;
  void (*data_deleter)(void *data);
  uint32_t shift;
  uint64_t first, last;
} MapBody;

_Static_assert(sizeof(void *) < 8 || offsetof(MapBody, last) == 72 - 24,
               "the fields end at offset 80 of the object");

typedef struct MapEntry {
  TVMFFIAny key, value;
} MapEntry;

typedef struct MapItem {
  TVMFFIAny key, value;
  uint64_t previous, next;
} MapItem;

typedef struct MapBlock {
  uint8_t bytes[MAP_BLOCK];
  MapItem items[MAP_BLOCK];
} MapBlock;

static inline MapBody *map_body(const Iut *iut, TVMFFIObjectHandle map)
{
  return object_body(iut, map);
}

static inline bool map_is_small(const MapBody *body)
{
  return body->slots & MAP_SMALL;
}

static inline uint8_t *map_byte(const MapBody *body, uint64_t slot)
{
  return &((MapBlock *)body->data)[slot / MAP_BLOCK].bytes[slot % MAP_BLOCK];
}

static inline MapItem *map_item(const MapBody *body, uint64_t slot)
{
  return &((MapBlock *)body->data)[slot / MAP_BLOCK].items[slot % MAP_BLOCK];
}

static inline uint64_t map_combine(uint64_t a, uint64_t b)
{
  return a ^ (b + 0x9e3779b9 + (a << 6) + (a >> 2));
}

static inline uint64_t map_hash_of_bytes(const char *data, size_t size)
{
  uint64_t result = 0;
  for (size_t i = 0; i < size; i += 8) {
    uint64_t word = 0;
    for (size_t j = 0; j < 8 && i + j < size; ++j) word |= (uint64_t)(uint8_t)data[i + j] << 8 * j;
    result = (result * UINT64_C(1099511628211) + word) % 2147483647;
  }
  return result;
}

// The hash of a key of a type without functions of its own for that.
static inline uint64_t map_hash(const Iut *iut, const TVMFFIAny *key)
{
  int32_t type_index = key->type_index;
  if (type_index == kTVMFFISmallStr || type_index == kTVMFFISmallBytes)
    return map_combine(type_index == kTVMFFISmallStr ? kTVMFFIStr : kTVMFFIBytes,
                       map_hash_of_bytes(key->v_bytes, key->small_str_len));
  if (type_index == kTVMFFIStr || type_index == kTVMFFIBytes) {
    const TVMFFIByteArray *text = object_body(iut, key->v_obj);
    return map_combine((uint64_t)type_index, map_hash_of_bytes(text->data, text->size));
  }
  return map_combine((uint64_t)type_index, key->v_uint64);
}

static inline uint64_t map_first_slot(const MapBody *body, uint64_t hash)
{
  return (UINT64_C(11400714819323198485) * hash) >> body->shift;
}

// By how much the low seven bits of a byte jump; 0 also for 126 and 127, which say nothing.
static inline uint64_t map_jump(uint8_t byte)
{
  static const uint64_t sparse[] = {
#include "container_jumps.inc"
  };
  uint64_t n = byte & 127;
  if (n < 16) return n;
  if (n < 83) return (n - 10) * (n - 9) / 2;
  return n - 83 < sizeof sparse / sizeof sparse[0] ? sparse[n - 83] : 0;
}

// How far a map's slots are to be trusted in a walk: the bytes may be anything.
static inline bool map_slot_is_used(const MapBody *body, uint64_t slot)
{
  return slot < body->slots && *map_byte(body, slot) < MAP_PROTECTED;
}

// The slot is reached from the first slot of the chain of the hash.
#define expect_in_chain(...) expect_in_chain_(EXPECT_HERE_, __VA_ARGS__)
static inline bool expect_in_chain_(const char *at, const MapBody *body, uint64_t hash,
                                    uint64_t slot)
{
  uint64_t here = map_first_slot(body, hash), steps = 0;
  if (!expect_that_(at, here < body->slots && *map_byte(body, here) < 128,
                    "the beginning of a chain", "byte 0x%02x at slot %" PRIu64,
                    here < body->slots ? *map_byte(body, here) : 0, here))
    return false;
  while (here != slot && map_slot_is_used(body, here) && steps++ < body->slots) {
    uint64_t jump = map_jump(*map_byte(body, here));
    if (jump == 0) break;
    here = (here + jump) % body->slots;
  }
  return expect_hex_(at, "slot at which the chain arrives", here, slot);
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_LAYOUT_H_
